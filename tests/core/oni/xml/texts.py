"""OniSplit's XML of an animation, written by hand: its elements in the order that the reader needs [format's description 2.4]."""

from __future__ import annotations

from collections.abc import Sequence

KEY = "<EKey>1 0 0 0</EKey>"
ONE_FRAME = f"<Heights /><Velocities /><Rotations><Bone>{KEY}</Bone></Rotations><Positions />"


def animation(motion: str = ONE_FRAME, attacks: str = "", flags: str = "0", sounds: str = "") -> bytes:
    """motion: Heights to Positions. attacks: Attacks and AttackRing."""
    return f"""<Oni><Animation>
<Lookup><Type>Walk</Type><AimingType>Walk</AimingType><FromState>Standing</FromState><ToState>Standing</ToState><Varient />
<FirstLevel>0</FirstLevel><Shortcuts /></Lookup>
<Flags>{flags}</Flags><Atomic><Start>0</Start><End>0</End></Atomic><Invulnerable><Start>0</Start><End>0</End></Invulnerable>
<Overlay><UsedBones /><ReplacedBones /></Overlay><DirectAnimations><Link /><Link /></DirectAnimations>
<Pause><Hard>0</Hard><Soft>0</Soft></Pause><Interpolation><End>0</End><Max>0</Max></Interpolation>
<FinalRotation>0</FinalRotation><Direction>None</Direction><Vocalization>65535</Vocalization><ActionFrame>65535</ActionFrame><Impact />
<Particles /><MotionBlur /><Footsteps /><Sounds>{sounds}</Sounds>
{motion}
<ThrowSource /><SelfDamage />{attacks}
</Animation></Oni>""".encode()


def attack(start: int, end: int, extents: Sequence[tuple[str, str, str, str]]) -> str:
    """extents: angle, length, min Y and max Y of each."""
    tags = ("Angle", "Length", "MinY", "MaxY")
    rows = "".join(
        f"<Extent>{''.join(f'<{tag}>{value}</{tag}>' for tag, value in zip(tags, extent, strict=True))}</Extent>" for extent in extents
    )
    return (
        f"<Attack><Start>{start}</Start><End>{end}</End><Bones>Pelvis</Bones><Flags /><Knockback>0</Knockback><HitPoints>0</HitPoints>"
        "<HitType>None</HitType><HitLength>0</HitLength><StunLength>0</StunLength><StaggerLength>0</StaggerLength>"
        f"<Extents>{rows}</Extents></Attack>"
    )

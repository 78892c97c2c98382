"""The enumerations of Oni's records, by the names that OniSplit's XML uses; numbers to names and back."""

from __future__ import annotations

from collections.abc import Iterable

from ..reporting.errors import RetroAnimError
from ..reporting.labels import rather


class UnknownNameError(RetroAnimError):
    """A name that an enumeration does not have; the text says which of those it has are most like it."""


class Enumeration:
    """Numbers that have one name each, from 0 where they are not given."""

    def __init__(self, title: str, names: str | Iterable[str], numbers: Iterable[int] | None = None) -> None:
        self.title = title
        self.names = tuple(names.split() if isinstance(names, str) else names)
        self.numbers = tuple(range(len(self.names)) if numbers is None else numbers)
        self._values = dict(zip(self.names, self.numbers, strict=True))
        self._names = dict(zip(self.numbers, self.names, strict=True))

    def has(self, value: int) -> bool:
        """Whether `value` has a name."""
        return value in self._names

    def name_of(self, value: int) -> str:
        """The name of `value`; the number itself where there is none."""
        return self._names.get(value, str(value))

    def value(self, name: str) -> int:
        """The number of `name`, which may be a number itself. Raises UnknownNameError, a RetroAnimError."""
        value = self._values.get(name)
        return _number(self.title, name, self.names) if value is None else value


class Flags:
    """Bits that have one name each. zero: what OniSplit writes for no bits at all, "" for an empty element."""

    def __init__(self, title: str, bits: dict[str, int], zero: str = "") -> None:
        self.title = title
        self.bits = bits
        self.zero = zero
        self.known = sum(bits.values())

    def names_of(self, value: int) -> list[str]:
        """The names of the known bits, lowest first."""
        return [name for name, bit in self.bits.items() if value & bit]

    def unknown(self, value: int) -> int:
        """The bits of `value` that have no name."""
        return value & ~self.known

    def text(self, value: int) -> str:
        """The names, separated by spaces; the number where a bit has no name, since OniSplit takes either names or one number."""
        if self.unknown(value):
            return str(value)
        return " ".join(self.names_of(value)) or self.zero

    def value(self, text: str) -> int:
        """The bits of names separated by spaces or commas, or of one number. Raises UnknownNameError."""
        value = 0
        for name in text.replace(",", " ").split():
            bit = 0 if name == "None" else self.bits.get(name)
            value |= _number(self.title, name, self.bits) if bit is None else bit
        return value


def _number(title: str, name: str, allowed: Iterable[str]) -> int:
    if name.isascii() and name.isdigit() and len(name) <= 10:
        return int(name)
    raise UnknownNameError(f"{name or 'nothing'} is no {title}; {rather(name, list(allowed))}")


ANIMATION_TYPE = Enumeration(
    "animation type",
    """
    None Anything Walk Run Slide Jump Stand StandingTurnLeft StandingTurnRight RunBackwards RunSidestepLeft
    RunSidestepRight Kick WalkSidestepLeft WalkSidestepRight WalkBackwards Stance Crouch JumpForward JumpBackward JumpLeft
    JumpRight Punch Block Land Fly KickForward KickLeft KickRight KickBack KickLow PunchForward PunchLeft PunchRight
    PunchBack PunchLow Kick2 Kick3 Punch2 Punch3 LandForward LandRight LandLeft LandBack PPK PKK PKP KPK KPP KKP PK KP
    PunchHeavy KickHeavy PunchForwardHeavy KickForwardHeavy AimingOverlay HitOverlay CrouchRun CrouchWalk
    CrouchRunBackwards CrouchWalkBackwards CrouchRunSidestepLeft CrouchRunSidestepRight CrouchWalkSidestepLeft
    CrouchWalkSidestepRight RunKick RunPunch RunBackPunch RunBackKick SidestepLeftKick SidestepLeftPunch SidestepRightKick
    SidestepRightPunch Prone Flip HitHead HitBody HitFoot KnockdownHead KnockdownBody KnockdownFoot HitCrouch
    KnockdownCrouch HitFallen HitHeadBehind HitBodyBehind HitFootBehind KnockdownHeadBehind KnockdownBodyBehind
    KnockdownFootBehind HitCrouchBehind KnockdownCrouchBehind Idle Taunt Throw Thrown1 Thrown2 Thrown3 Thrown4 Thrown5
    Thrown6 Special1 Special2 Special3 Special4 ThrowForwardPunch ThrowForwardKick ThrowBackwardPunch ThrowBackwardKick
    RunThrowForwardPunch RunThrowBackwardPunch RunThrowForwardKick RunThrowBackwardKick Thrown7 Thrown8 Thrown9 Thrown10
    Thrown11 Thrown12 StartleLeft StartleRight Sit StandSpecial Act Kick3Fw HitFootOuch HitJewels Thrown13 Thrown14
    Thrown15 Thrown16 Thrown17 PPKK PPKKK PPKKKK LandHard LandHardForward LandHardRight LandHardLeft LandHardBack LandDead
    CrouchTurnLeft CrouchTurnRight CrouchForward CrouchBack CrouchLeft CrouchRight GetupKickBack AutopistolRecoil
    PhaseRifleRecoil PhaseStreamRecoil SuperballRecoil VandegrafRecoil ScramCannonRecoil MercuryBowRecoil ScreamerRecoil
    PickupObject PickupPistol PickupRifle Holster DrawPistol DrawRifle Punch4 ReloadPistol ReloadPhaseRifle
    ReloadPhaseStream ReloadSuperball ReloadVandegraf ReloadScramCannon ReloadMercuryBow ReloadScreamer PfPf PfPfPf PlPl
    PlPlPl PrPr PrPrPr PbPb PbPbPb PdPd PdPdPd KfKf KfKfKf KlKl KlKlKl KrKr KrKrKr KbKb KbKbKb KdKd KdKdKd StartleLt
    StartleRt StartleBk StartleFw Console ConsoleWalk Stagger Watch ActNo ActYes ActTalk ActShrug ActShout ActGive RunStop
    WalkStop RunStart WalkStart RunBackwardsStart WalkBackwardsStart Stun StaggerBehind Blownup BlownupBehind OneStepStop
    RunSidestepLeftStart RunSidestepRightStart Powerup FallingFlail ConsolePunch TeleportIn TeleportOut NinjaFireball
    NinjaInvisible PunchRifle PickupObjectMid PickupPistolMid PickupRifleMid Hail MuroThunderbolt HitOverlayAI
    """,
)

ANIMATION_STATE = Enumeration(
    "animation state",
    """
    None Anything RunningLeftDown RunningRightDown Sliding WalkingLeftDown WalkingRightDown Standing RunStart RunAccel
    RunSidestepLeft RunSidestepRight RunSlide RunJump RunJumpLand RunBackStart RunningBackRightDown RunningBackLeftDown
    FallenBack Crouch RunningUpstairRightDown RunningUpstairLeftDown SidestepLeftLeftDown SidestepLeftRightDown
    SidestepRightLeftDown SidestepRightRightDown SidestepRightJump SidestepLeftJump JumpForward JumpUp RunBackSlide
    LieBack SsLtStart SsRtStart WalkingSidestepLeft CrouchWalk WalkingSidestepRight Flying Falling FlyingForward
    FallingForward FlyingBack FallingBack FlyingLeft FallingLeft FlyingRight FallingRight CrouchStart WalkingBackLeftDown
    WalkingBackRightDown FallenFront SidestepLeftStart SidestepRightStart Sit PunchLow StandSpecial Acting CrouchRunLeft
    CrouchRunRight CrouchRunBackLeft CrouchRunBackRight Blocking1 Blocking2 Blocking3 CrouchBlocking1 Gliding WatchIdle
    Stunned Powerup Thunderbolt
    """,
)

FOOTSTEP = Enumeration("footstep type", "None Left Right")

DIRECTION = Enumeration("direction", "None Forward Backward Left Right")

COMPRESSION = Enumeration("compression size", "Angles Quaternions", (6, 16))
"""Bytes of a rotation key."""

BONE = Enumeration(
    "bone",
    """
    Pelvis LeftThigh LeftCalf LeftFoot RightThigh RightCalf RightFoot Mid Chest Neck Head LeftShoulder LeftArm LeftWrist
    LeftFist RightShoulder RightArm RightWrist RightFist
    """,
)
"""Bones by index, as XML names them in particles; the armature has names of its own (`rig.NAMES`)."""

ANIMATION_FLAGS = Flags(
    "animation flag",
    {
        "RuntimeLoaded": 1,
        "Invulnerable": 2,
        "BlockHigh": 4,
        "BlockLow": 8,
        "Attack": 0x10,
        "DropWeapon": 0x20,
        "InAir": 0x40,
        "Atomic": 0x80,
        "NoTurn": 0x100,
        "AttackForward": 0x200,
        "AttackLeft": 0x400,
        "AttackRight": 0x800,
        "AttackBackward": 0x1000,
        "Overlay": 0x2000,
        "DontInterpolateVelocity": 0x4000,
        "ThrowSource": 0x8000,
        "ThrowTarget": 0x10000,
        "RealWorld": 0x20000,
        "DoAim": 0x40000,
        "DontAim": 0x80000,
        "CanPickup": 0x100000,
        "Aim360": 0x200000,
        "DisableShield": 0x400000,
        "NoAIPickup": 0x800000,
    },
    "0",
)
"""It has no name for zero: OniSplit fails at an empty element."""

VARIENT = Flags(
    "varient",
    {
        "Sprint": 0x100,
        "Combat": 0x200,
        "RightPistol": 0x800,
        "LeftPistol": 0x1000,
        "RightRifle": 0x2000,
        "LeftRifle": 0x4000,
        "Panic": 0x8000,
    },
)

BONE_MASK = Flags("bone", {name: 1 << index for index, name in enumerate(BONE.names)})

ATTACK_FLAGS = Flags("attack flag", {"Unblockable": 1, "High": 2, "Low": 4, "HalfDamage": 8})

SHORTCUT_FLAGS = Flags("shortcut flag", {"ReplaceAtomic": 1})

OBAN_FLAGS = Flags("OBAN flag", {"NormalLoop": 1, "BackToBackLoop": 2, "RandomStartFrame": 4, "Autostart": 8, "ZAxisUp": 0x10})

"""The enumerations of Oni's records, by the words that OniSplit's XML uses; numbers and words both ways."""

from __future__ import annotations

from collections.abc import Iterable

from ...reporting.errors import RetroAnimError


class UnknownWordError(RetroAnimError):
    """A word that an enumeration does not have; the text lists those it has."""


class Enumeration:
    """Numbers from 0 that have one word each."""

    def __init__(self, name: str, words: str | Iterable[str]) -> None:
        self.name = name
        self.words = tuple(words.split() if isinstance(words, str) else words)
        self._values = {word: value for value, word in enumerate(self.words)}

    def word(self, value: int) -> str:
        """The word for `value`; the number itself where there is none."""
        return self.words[value] if 0 <= value < len(self.words) else str(value)

    def value(self, word: str) -> int:
        """The number for `word`, which may be a number itself. Raises UnknownWordError, a RetroAnimError that lists the allowed words."""
        value = self._values.get(word)
        return _number(self.name, word, self.words) if value is None else value


class Flags:
    """Bits that have one word each. zero: the word OniSplit writes for no bits at all, "" for an empty element."""

    def __init__(self, name: str, bits: dict[str, int], zero: str = "") -> None:
        self.name = name
        self.bits = bits
        self.zero = zero
        self.known = sum(bits.values())

    def words(self, value: int) -> list[str]:
        """The words of the known bits, lowest first."""
        return [word for word, bit in self.bits.items() if value & bit]

    def unknown(self, value: int) -> int:
        """The bits of `value` that have no word."""
        return value & ~self.known

    def text(self, value: int) -> str:
        """The words, separated by spaces; the number where a bit has no word, since OniSplit takes either words or one number."""
        if self.unknown(value):
            return str(value)
        return " ".join(self.words(value)) or self.zero

    def value(self, text: str) -> int:
        """The bits of words separated by spaces or commas, or of one number. Raises UnknownWordError, which lists the allowed words."""
        value = 0
        for word in text.replace(",", " ").split():
            bit = 0 if word == "None" else self.bits.get(word)
            value |= _number(self.name, word, self.bits) if bit is None else bit
        return value


def _number(name: str, word: str, allowed: Iterable[str]) -> int:
    if word.isascii() and word.isdigit() and len(word) <= 10:
        return int(word)
    raise UnknownWordError(f"{word or 'nothing'} is no {name}; allowed are {' '.join(allowed)}")


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
"""It has no word for zero: OniSplit fails at an empty element."""

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

BONE_MASK = Flags("bone", {word: 1 << index for index, word in enumerate(BONE.words)})

ATTACK_FLAGS = Flags("attack flag", {"Unblockable": 1, "High": 2, "Low": 4, "HalfDamage": 8})

OBAN_FLAGS = Flags("OBAN flag", {"NormalLoop": 1, "BackToBackLoop": 2, "RandomStartFrame": 4, "Autostart": 8, "ZAxisUp": 0x10})

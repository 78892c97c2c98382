"""A bone map as lines of the panel's table: filled in, and read again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core.reporting.errors import RetroAnimError
from .. import changed, roles_of
from ..settings import armatures_of

if TYPE_CHECKING:
    from ....core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb, LimbName, Pair, ReferencePose

_OPTIONS = {name: name for name in ("space", "weight", "offset", "location", "scale", "distribute", "tail")} | {"rotation": "turn"}
"""The options of a pair, with the names of their properties, which saved files have."""


LIMBS: tuple[LimbName, ...] = ("hips", "leftHand", "rightHand", "leftFoot", "rightFoot")
"""Those of the settings: `limb_` and the name."""

_NO_ROLES: Mapping[str, str] = {}

_LIMB_FIELDS = ("reach", "prop", "strength", "near", "stride", "stance", "height")


def fill(settings: Any, bone_map: BoneMap) -> None:
    """Show a map in the table."""
    from ....core.retarget.figures.maps.bone_map import Chain

    settings.filling = True
    settings.pairs.clear()
    for each in _from_the_hips(bone_map, armatures_of(settings)[1]):
        line = settings.pairs.add()
        if isinstance(each, Chain):
            line.role, line.mode, line.weight = each.name, each.mode, each.weight
            set_chain(line, list(each.source), list(each.target), each.source_roles, each.roles)
        else:
            set_pair(line, each.source, each.target, each.role)
            for name, key in _OPTIONS.items():
                setattr(line, key, getattr(each.options, name))
        line.confidence, line.note = each.confidence, each.note
    _fill_limbs(settings, bone_map)
    settings.poses.clear()
    for pose in bone_map.poses:
        add_pose(settings, pose)
    settings.source_fingerprint, settings.target_fingerprint = bone_map.source_fingerprint, bone_map.target_fingerprint
    settings.edited = False
    settings.filling = False
    changed()


def _from_the_hips(bone_map: BoneMap, target: Any) -> list[Pair | Chain]:
    """Chains among the pairs, in the order of a body, and what has no role there as the target's bones hang on each other."""
    from ....core.retarget.figures.maps.bone_map import Chain
    from ....core.retarget.figures.roles import ROLES

    bones: dict[str, int] = {} if target is None else {bone.name: position for position, bone in enumerate(target.data.bones)}

    def rank(each: Pair | Chain) -> tuple[int, int]:
        role, first = (each.name, "".join(each.target[:1])) if isinstance(each, Chain) else (each.role, each.target)
        # a finger that is a chain has the name of all of its joints
        by_role = next((position for position, known in enumerate(ROLES) if role and known.startswith(role)), len(ROLES))
        return by_role, bones.get(first, len(bones))

    return sorted(bone_map.lines, key=rank)


def read(settings: Any) -> BoneMap:
    """The map that the table shows; lines without a bone on one side are left out. Raises RetroAnimError when a target bone stands in
    two lines."""
    from ....core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions
    from ....io.blender import fields

    pairs: list[Pair] = []
    chains: list[Chain] = []
    followers: set[str] = set()
    for line in settings.pairs:
        sources, targets = ([text] if not line.is_chain else list(map(str, fields.listed(text))) for text in (line.source, line.target))
        if not all(sources) or not all(targets) or not sources or not targets:
            continue
        twice = followers.intersection(targets)
        if twice:
            raise RetroAnimError(f"{min(twice)} follows two bones; remove one of the lines")
        followers.update(targets)
        if line.is_chain:
            roles = {"source_roles": roles_of(line, "source"), "roles": roles_of(line, "target")}
            chains.append(Chain(tuple(sources), tuple(targets), line.role, line.mode, line.confidence, line.note, line.weight, **roles))
            continue
        values: dict[str, Any] = {name: getattr(line, key) for name, key in _OPTIONS.items()} | {"offset": tuple(line.offset)}
        pairs.append(Pair(line.source, line.target, line.role, line.confidence, line.note, PairOptions(**values)))
    poses = tuple(_pose(line) for line in settings.poses)
    return BoneMap(tuple(pairs), tuple(chains), settings.source_fingerprint, settings.target_fingerprint, _read_limbs(settings), poses)


def _fill_limbs(settings: Any, bone_map: BoneMap) -> None:
    """Show what a map asks."""
    for name in LIMBS:
        limb = bone_map.limb(name)
        for key in _LIMB_FIELDS:
            setattr(getattr(settings, f"limb_{name}"), key, getattr(limb, key))


def _read_limbs(settings: Any) -> tuple[Limb, ...]:
    """Those of which something else than usual is asked."""
    from ....core.retarget.figures.maps.bone_map import Limb

    limbs = [Limb(name, **{key: getattr(getattr(settings, f"limb_{name}"), key) for key in _LIMB_FIELDS}) for name in LIMBS]
    return tuple(limb for limb in limbs if limb != Limb(limb.limb))


def set_chain(
    line: Any,
    source: list[str],
    target: list[str],
    source_roles: Mapping[str, str] = _NO_ROLES,
    target_roles: Mapping[str, str] = _NO_ROLES,
) -> None:
    """Make a line a chain of these bones. source_roles, target_roles: by bone, of others than these, too."""
    import json

    settings = line.id_data.retro_anim_retarget
    before, settings.filling = settings.filling, True
    line.is_chain = True
    for side, bones, roles in (("source", source, source_roles), ("target", target, target_roles)):
        setattr(line, side, json.dumps(bones))
        ends = (bones[0], bones[-1]) if bones else ("", "")
        setattr(line, f"{side}_start", ends[0])
        setattr(line, f"{side}_end", ends[1])
        setattr(line, f"{side}_roles", json.dumps({bone: roles[bone] for bone in bones if bone in roles}))
    line.name = f"{' '.join([*source, *target])} {line.role}"
    line.confidence, line.note, line.by_hand = 1.0, "", not before
    settings.filling = before


def set_pair(line: Any, source: str, target: str, role: str) -> None:
    """Make a line that may be a chain a pair of bones."""
    settings = line.id_data.retro_anim_retarget
    before, settings.filling = settings.filling, True
    line.is_chain = False
    line.source, line.target, line.role = source, target, role
    line.name = f"{source} {target} {role}"
    line.confidence, line.note, line.by_hand = 1.0, "", not before
    settings.filling = before


def add_pose(settings: Any, pose: ReferencePose) -> None:
    """Keep a reference pose, instead of another one of its name."""
    import json

    line = settings.poses.get(pose.name) or settings.poses.add()
    line.name, line.document = pose.name, json.dumps({"source": dict(pose.source), "target": dict(pose.target)})


def _pose(line: Any) -> ReferencePose:
    """Raises RetroAnimError for one that was spoiled."""
    import json

    from ....core.retarget.figures.maps import map_fields
    from ....core.retarget.figures.maps.bone_map import ReferencePose

    try:
        document = json.loads(line.document)
        return ReferencePose(line.name, map_fields.rotations(document["source"]), map_fields.rotations(document["target"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RetroAnimError(f"the reference pose {line.name} is spoiled: remove it") from error

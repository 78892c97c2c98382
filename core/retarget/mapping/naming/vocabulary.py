"""The vocabulary of bone names, of many rigs: what each token may mean, how surely, and which tokens mark a helper."""

from __future__ import annotations

import unicodedata
from typing import TypeVar

Scores = dict[str, float]
"""Part of the body (a role without its side) -> how surely a token means it, 0 to 1."""

_T = TypeVar("_T")


def plain(text: str) -> str:
    """Without accents on Latin letters, and in the usual form of full-width and other compatible letters."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not "\u0300" <= letter <= "\u036f")
    return unicodedata.normalize("NFKC", bare)


def _set(tokens: str) -> frozenset[str]:
    return frozenset(plain(tokens).split())


def _each(tokens: str, meaning: _T) -> dict[str, _T]:
    return dict.fromkeys(plain(tokens).split(), meaning)


LEFT = _set("left l lf lft lt lhs links linke linker gauche izquierda izquierdo izq sinistra sinistro esquerda esquerdo 左")
RIGHT = _set("right r rgt rt rhs rechts rechte rechter droite droit derecha derecho der destra destro direita direito 右")

RARE_SIDES = (("g", "d"), ("i", "d"), ("e", "d"), ("sx", "dx"))
"""Left and right where it is certain that no usual token for them occurs."""

CENTRAL: dict[str, Scores] = {
    **_each("hips pelvis hüfte becken bacino caderas quadril bassin", {"hips": 1.0}),
    "hip": {"hips": 0.9},
    "cog": {"hips": 0.4, "root": 0.5},
    **_each("center centre センター", {"hips": 0.8, "root": 0.3}),
    **_each("lowerbody 下半身", {"hips": 0.6}),
    **_each("waist 腰", {"spine": 0.6, "hips": 0.5}),
    **_each("spine backbone vertebra wirbelsäule columna colonna coluna", {"spine": 1.0, "chest": 0.6}),
    **_each("abdomen belly stomach lumbar lowerback spinelower lowerspine loins tummy upperbody 上半身", {"spine": 1.0}),
    **_each("back torso trunk midback mid tronco buste", {"spine": 0.8, "chest": 0.6}),
    "body": {"spine": 0.4, "hips": 0.4},
    **_each(
        "chest thorax ribcage ribs rib thoracic brust petto pecho peito poitrine upperback upperspine spineupper uppertorso", {"chest": 1.0}
    ),
    **_each("upperchest chestupper sternum", {"chest": 1.0, "upperChest": 1.0}),
    **_each("neck cervical lowerneck upperneck neckupper necklower nacken hals collo cuello pescoço cou 首", {"neck": 1.0}),
    **_each("head skull cranium kopf testa cabeza cabeça tête tete 頭", {"head": 1.0}),
    **_each("root master allparent mother world origin reference trajectory armature global 全ての親", {"root": 1.0}),
    **_each("bip motion placement base scene main groove グルーブ", {"root": 0.5}),
    **_each("jaw mandible lowerjaw jawlower 顎 あご", {"jaw": 1.0}),
    **_each("chin mouth", {"jaw": 0.3}),
}
"""What a token means on a bone without a side."""

SIDED: dict[str, Scores] = {
    **_each("clavicle clav collar scapula schlüsselbein clavicola clavícula clavicula clavicule", {"Shoulder": 1.0}),
    **_each("shoulder schulter spalla hombro ombro épaule epaule 肩", {"Shoulder": 0.78, "UpperArm": 0.7}),
    "shld": {"Shoulder": 0.75, "UpperArm": 0.7},
    "shldr": {"Shoulder": 0.75, "UpperArm": 0.8},
    **_each("upperarm uarm uparm armupper humerus bicep biceps oberarm", {"UpperArm": 1.0}),
    **_each("arm brazo braccio bras braço 腕", {"UpperArm": 0.85, "LowerArm": 0.3}),
    **_each(
        "forearm lowerarm loarm lowarm armlower elbow radius unterarm avambraccio antebrazo antebraço gomito codo coude ひじ",
        {"LowerArm": 1.0},
    ),
    **_each("ulna", {"LowerArm": 0.8}),
    **_each("wrist handgelenk polso muñeca poignet 手首", {"Hand": 1.0, "LowerArm": 0.5}),
    **_each("hand fist handfist mano main mão 手", {"Hand": 1.0}),
    **_each("palm carpal", {"Hand": 0.45}),
    **_each("upperleg upleg legupper thigh femur oberschenkel coscia muslo cuisse coxa", {"UpperLeg": 1.0}),
    "hip": {"UpperLeg": 0.75},
    "hipjoint": {"UpperLeg": 0.3},
    "pelvis": {"UpperLeg": 0.1},
    **_each("leg pierna gamba jambe perna bein", {"UpperLeg": 0.6, "LowerLeg": 0.7}),
    **_each(
        "lowerleg loleg lowleg leglower midleg legmid shin calf knee tibia shank unterschenkel knie ginocchio rodilla genou joelho ひざ",
        {"LowerLeg": 1.0},
    ),
    "fibula": {"LowerLeg": 0.8},
    **_each("foot feet ankle fuss fuß knöchel piede caviglia pie tobillo pied cheville pé 足首", {"Foot": 1.0}),
    **_each("talus tarsal", {"Foot": 0.8}),
    "足": {"UpperLeg": 0.9, "Foot": 0.3},
    **_each("toe toes toebase ball toeball football zehe zehen orteil orteils つま先 足先", {"Toes": 1.0}),
    "metatarsal": {"Toes": 0.4},
    **_each("eye eyeball auge occhio ojo olho œil 目", {"Eye": 1.0}),
    **_each("thumb daumen pollice pulgar pouce polegar 親指", {"Thumb": 1.0}),
    **_each("index pointer indexfinger fore point zeigefinger indice 人指 人差指 人差し指", {"Index": 1.0}),
    **_each("middle mid middlefinger mittelfinger medio majeur 中指", {"Middle": 1.0}),
    **_each("ring third ringfinger anular annulaire anulare 薬指", {"Ring": 1.0}),
    **_each(
        "little pinky pinkie pinkey small littlefinger kleinerfinger kleinfinger klein mignolo meñique auriculaire 小指", {"Little": 1.0}
    ),
    **_each("finger fingers knuckle digit", {"Finger": 1.0}),
}
"""What a token means on a bone with a side. "Finger" is one of which the number decides."""

BEASTS: dict[str, str] = {
    **_each("tail tailbone", "tail"),
    **_each("wing wings", "wing"),
    **_each("feather feathers", "feather"),
    **_each("fin fins flipper flippers", "fin"),
    **_each("ear ears", "ear"),
    **_each("jaw mouth mandible beak", "jaw"),
    **_each("tongue", "tongue"),
    **_each("nose snout muzzle", "nose"),
    **_each("proboscis", "trunk"),
    **_each("horn horns antler antlers", "horn"),
    **_each("tusk tusks", "tusk"),
    **_each("mane", "mane"),
    **_each("hock horselink metatarsus", "hock"),
    **_each("abdomen", "abdomen"),
    **_each("antenna antennae feeler", "antenna"),
    **_each("claw claws pincer pincers", "claw"),
    **_each("tentacle tentacles", "tentacle"),
    **_each("saddle", "saddle"),
    **_each("rein reins", "rein"),
    **_each("gill gills", "gill"),
    **_each("dorsal", "dorsal"),
    **_each("hoof paw", "Foot"),
    **_each("fang fangs", "fang"),
}
"""What beasts have and humans have not."""

FRONT, HIND = _set("front fore"), _set("hind")
"""Which pair of a beast's legs a bone is of."""

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")

JOINTS: dict[str, int] = {
    **_each("metacarpal carpal palm in base start", 0),
    **_each("proximal prox", 1),
    **_each("intermediate inter", 2),
    **_each("distal dist", 3),
}
"""Tokens that name which joint of a finger a bone is."""

QUALIFIERS: dict[str, str] = {
    **_each("upper up oben sup superior", "upper"),
    **_each("lower low lo down inf inferior", "lower"),
    "fore": "fore",
    "mid": "mid",
    "all": "all",
}
"""Tokens that go together with the noun beside them: "arm upper", "up leg"."""

LIMBS = _set("Shoulder UpperArm LowerArm Hand UpperLeg LowerLeg Foot Toes Eye Finger Thumb Index Middle Ring Little")
"""Parts that come in pairs."""

HELPERS: dict[str, float] = {
    **_each("ik pole pv target tgt goal effector ee handle vector ctrltarget", 0.05),
    **_each("end nub tip site leaf terminal eff endsite top", 0.08),
    **_each("twist roll tw twst twister 捩 捩り ねじり", 0.12),
    **_each("mch vis wgt widget drv driver org tweak hlp helper aux dummy null locator loc socket attach slot attachment", 0.1),
    **_each("corrective correction corr jcm muscle volume vol fix fat bulge ribbon bendy physics jiggle phys spring sim collider", 0.1),
    **_each("prop weapon gun sword shield holder holster item bag armor armour pad strap belt buckle", 0.08),
    **_each("hair skirt cloth cape coat sleeve ribbon dress scarf hat helmet tie bow pony ponytail braid 髪 スカート", 0.05),
    **_each(
        "ear nose lip lips lid eyelid eyelids brow eyebrow cheek tongue teeth tooth forehead nostril temple mustache beard 舌 歯 耳", 0.03
    ),
    **_each("breast breasts boob bust pec pectoral nipple butt buttock glute genital penis 胸", 0.03),
    **_each("footsteps heel fkik ikfk parent pivot offset orient space follow stretchto smear mirror copy キャンセル 補助 ダミー 先", 0.1),
    **_each("tail wing fin tentacle antenna horn feather flap claw 尾 翼", 0.1),
    **_each("half adj opt sec extra add share spin rock", 0.3),
    **_each("shear", 0.03),
    **_each("master", 0.5),
    **_each("stretch d ex p", 0.9),
}
"""Tokens that make it doubtful that a bone is the part its other tokens name: what is left of the score."""

ALONG = _set(
    "end nub tip site leaf terminal eff endsite top twist roll tw twst twister 捩 捩り ear nose lip lips chin tongue "
    "teeth forehead brow half adj opt stretch master bend heel"
)
"""Helper tokens whose bones stay in the tree: they lie along the body's own chains, or mark an end of it."""

AUTOMATIC = _set("dummy null locator loc point box empty helper sphere cube cylinder plane line shear")
"""Tokens that programs name objects by until somebody gives them a name; two of such a name and number have nothing in common."""

NEUTRAL = _set(
    "bone bones joint joints jnt jt bn b skin sk skl def deform bind bnd ctrl control con cnt fk rig character char actor avatar player "
    "skeleton skel m f j c avg geo grp group node jnts object obj segment link mixamo mixamorig mixamorigs biped valve valvebiped hik "
    "ref human humanoid figure body0 bend main start new old rest pose x y z a cc base kinect src dst male female"
)
"""Tokens without a meaning for the part of the body."""

TRAPS = _set(
    "string earring rear arms armature legacy handle ship whip stomach fringe clip flip slip strip shell spear gear hinge lower wheel "
    "pistol barrel rifle barrel switch charm farm swarm alarm harm toggle footer header ahead hipster chinese machine backpack feedback "
    "upright"
)
"""Tokens in which a shorter one of the body is hidden."""

TOKENS = (
    LEFT
    | RIGHT
    | FRONT
    | HIND
    | frozenset(CENTRAL)
    | frozenset(SIDED)
    | frozenset(QUALIFIERS)
    | frozenset(JOINTS)
    | frozenset(HELPERS)
    | NEUTRAL
    | TRAPS
)

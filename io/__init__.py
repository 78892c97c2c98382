"""Plain data <-> Blender data: armatures, actions, meshes. bpy lives here, dialogs do not."""

"""What every game's import and export have in common; a game's folder in io/ adds what is its own, in these classes:

    plan.py    class Plan(into_blender.plan.Plan): `takes` an armature of the scene or not; `open` reads and checks one path, and adds its
               Characters with their Clips. Nothing of the scene is touched yet; what fails does not harm the other paths.
    build.py   class Builder(into_blender.importing.Builder): `frame_rate`; `stage`, a character's armature or object; `clips`, its clips as
               curves with the values of the game's fields; `finish`, the rest. importing.run(GAME, Plan(…), Builder(…)).
    pack.py    what one action or armature stands for: sampled, its fields read and checked, encoded. Raises ExportError.
    write.py   class Writer(out_of_blender.writer.Writer): `subjects`, what is exported (see selection/); `pack`, one of them;
               `outputs`, which file or entry gets which bytes; `merged`, an archive with its new entries. A file of one clip is one
               output per subject, an archive's entry an output with an entry, a character's only file one output per armature; files
               that go along are outputs without a block. exporting.run(Writer(…)).
    replay.py  blocks(context, obj, action): the curves that an import of the exported file would give.
    contents.py, pictures.py, save.py
               what the list before an import shows; what a picture of a character shows; a whole character in one go.

The pipeline guards files, reports progress, undoes a failed import, names the action in each problem, refuses losses, keeps .bak files.
games.py finds these modules by the game's id. fidelity/ compares what is written with what Blender shows.
"""

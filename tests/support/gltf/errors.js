// Prints the errors that the Khronos Group's validator finds in glTF files, as one JSON list.
const fs = require("fs");
const validator = require("gltf-validator");

(async () => {
  const errors = [];
  for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 100 });
    for (const message of report.issues.messages) {
      if (message.severity === 0) errors.push(`${file}: ${message.code} ${message.pointer}`);
    }
  }
  console.log(JSON.stringify(errors));
})();

// Imported before everything else and written in the simplest syntax, so that an old Node still reaches the message.
var version = process.versions.node;
if (Number(version.split(".")[0]) < 20) {
  console.error(
    "Bonafide needs Node 20 or newer to start (it then brings the Node it runs on). This is Node " + version + ".",
  );
  console.error(
    "What to do: install a current Node from https://nodejs.org, or run `nvm install --lts`, and start again.",
  );
  process.exit(1);
}

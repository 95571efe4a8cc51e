const NEEDED = 24;

/**
 * Ends the process with one sentence when its Node is too old. Called before anything else is
 * loaded.
 */
export function requireNode() {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= NEEDED) return;
  process.stderr.write(
    `Gatehouse needs Node ${NEEDED} or newer, and this is ${node}: "npm ci" brings Node ${NEEDED}, and npm scripts use it.\n`,
  );
  process.exit(1);
}

const NEEDED = [22, 19] as const;

/** Ends the process with a message when its Node is too old. Call it before other imports. */
export function requireNode(): void {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  process.stderr.write(
    `Gatehouse needs Node ${NEEDED.join('.')} or newer, and this is ${node}: run "npm ci", which installs a newer Node, and use the npm scripts.\n`,
  );
  process.exit(1);
}

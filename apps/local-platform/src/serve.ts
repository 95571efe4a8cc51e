import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readConfig, UsageError, USAGE, type PlatformConfig } from './config.ts';
import { DamagedFileError, homePaths } from './home.ts';
import { Launcher } from './launcher.ts';
import { HomeInUseError } from './lock.ts';
import { watchParent } from './parent-guard/parent.ts';
import { NotBuiltError, Platform } from './platform.ts';
import { PortTakenError } from './ports.ts';
import { ResourcesUnusableError } from './resource-program.ts';
import { StartFailedError } from './supervisor.ts';
import { formatWelcome } from './welcome.ts';

const launcher = Launcher.find();
const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
  void launcher?.send({ kind: 'progress', text });
};

async function run(config: PlatformConfig): Promise<void> {
  const begun = performance.now();
  const platform = new Platform(config, say);
  let signals = 0;
  const stop = (reason: string): void => {
    signals += 1;
    if (signals > 1) {
      platform.kill();
      process.exit(130);
    }
    say(`${reason}: stopping; repeat the signal to kill all services`);
    void platform.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
  launcher?.watch(() => stop('The command that started the platform has ended'));
  // npm is the parent process, because npm scripts use `exec`. A new parent means that npm was
  // killed.
  if (config.underNpm && launcher === undefined) watchParent(process.ppid, () => stop('npm has ended'));

  const file = await platform.start();
  if (signals > 0) return;
  if (launcher) await launcher.send({ kind: 'ready', platform: file });
  else if (config.json) process.stdout.write(`${JSON.stringify(file)}\n`);
  else {
    const facts = { seconds: (performance.now() - begun) / 1000, demo: config.demo };
    say(formatWelcome(file, homePaths(config.home), facts));
  }
  setInterval(() => undefined, 60_000);
}

/** Returns the message of an expected error, and the stack of an unexpected one. */
function formatError(error: unknown): string {
  if (error instanceof UsageError || error instanceof HomeInUseError || error instanceof PortTakenError)
    return error.message;
  if (error instanceof NotBuiltError || error instanceof StartFailedError || error instanceof DamagedFileError)
    return error.message;
  if (error instanceof ResourcesUnusableError) return error.message;
  if (isSystemError(error)) return `The platform cannot use its home: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Whether the error comes from the file system, such as a full disk or a missing right. */
const isSystemError = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string';

// A closed terminal breaks these streams. The stop that follows must not fail because of that.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

// Only the owner can read files below the home, also those of services and of SQLite.
process.umask(0o077);

try {
  const config = readConfig(process.argv.slice(2));
  if (config === 'help') process.stdout.write(USAGE);
  else await run(config);
} catch (error) {
  const message = formatError(error);
  process.stderr.write(`${message}\n`);
  const code = error instanceof GatehouseError ? error.code : 'failed';
  await launcher?.send({ kind: 'failed', code, message });
  process.exit(error instanceof UsageError ? 2 : 1);
}

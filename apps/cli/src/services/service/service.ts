import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { replaceFile } from '@gatehouse/local-files/atomic-file';
import { CommandFailedError } from '../../errors/cli-error.ts';
import { writeServiceFile } from './service-file.ts';
import type { ServicePlan } from './service-plan.ts';

/** The state of a service, as `service status --json` shows it. */
export interface ServiceState {
  readonly manager: ServicePlan['manager'];
  readonly name: string;
  readonly file: string;
  readonly installed: boolean;
  /** Whether it starts at the next login; null where the service manager does not answer. */
  readonly enabled: boolean | null;
}

const TIMEOUT_MS = 30_000;

/** Runs a program. @returns its exit code and its last words */
function call(program: string, args: readonly string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      const text = (stderr.trim() || stdout.trim() || (error?.message ?? '')).split('\n').at(-1) ?? '';
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, text });
    });
  });
}

const systemctl = (...args: string[]) => call('systemctl', ['--user', '--no-pager', ...args]);
const getDomain = (): string => `gui/${userInfo().uid}`;

/** @throws CommandFailedError when the service manager of the user does not answer */
async function requireManager({ manager, file }: ServicePlan): Promise<void> {
  if (manager === 'launchd') return;
  const { code, text } = await systemctl('show-environment');
  if (code === 0) return;
  throw new CommandFailedError(`The systemd of this user does not answer: ${text}`, [
    'log in to a session with systemd, or: loginctl enable-linger $USER',
    `gatehouse service install --dry-run > ${file}   writes the unit for later`,
    'gatehouse start --all   starts the workloads without a service',
  ]);
}

function requireSuccess(command: string, { code, text }: { code: number; text: string }): void {
  if (code !== 0) throw new CommandFailedError(`${command} failed: ${text}`);
}

/** Writes the file of the service and enables it. Running workloads are not touched. */
export async function installService(plan: ServicePlan): Promise<void> {
  await requireManager(plan);
  mkdirSync(dirname(plan.file), { recursive: true });
  replaceFile(plan.file, writeServiceFile(plan));
  if (plan.manager === 'systemd') {
    requireSuccess('systemctl --user daemon-reload', await systemctl('daemon-reload'));
    requireSuccess(`systemctl --user enable ${plan.label}`, await systemctl('enable', plan.label));
  } else {
    await call('launchctl', ['bootout', getDomain(), plan.file]);
    requireSuccess('launchctl bootstrap', await call('launchctl', ['bootstrap', getDomain(), plan.file]));
  }
}

/** Removes the service. Running workloads go on. @returns false when it was not installed */
export async function removeService(plan: ServicePlan): Promise<boolean> {
  const wasInstalled = existsSync(plan.file);
  if (plan.manager === 'systemd') await systemctl('disable', plan.label);
  else await call('launchctl', ['bootout', getDomain(), plan.file]);
  rmSync(plan.file, { force: true });
  if (plan.manager === 'systemd') await systemctl('daemon-reload');
  return wasInstalled;
}

/** Reads the state of the service. */
export async function readServiceState(plan: ServicePlan): Promise<ServiceState> {
  const { manager, label, file } = plan;
  const installed = existsSync(file);
  const { code, text } =
    manager === 'systemd'
      ? await systemctl('is-enabled', label)
      : await call('launchctl', ['print', `${getDomain()}/${label}`]);
  const isKnown = manager === 'launchd' || /^(enabled|disabled|not-found|linked|static)$/.test(text) || !installed;
  return { manager, name: label, file, installed, enabled: isKnown ? code === 0 : null };
}

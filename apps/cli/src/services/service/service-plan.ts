import { join } from 'node:path';
import { getHome } from '@gatehouse/workloads/state/home';
import { UsageError } from '../../errors/cli-error.ts';

/** The machine and the command line of a service. */
export interface ServiceMachine {
  readonly platform: NodeJS.Platform;
  /** The home folder of the user. */
  readonly userFolder: string;
  /** XDG_CONFIG_HOME, or its default. */
  readonly configFolder: string;
  /** The folder with the state of Gatehouse, and its default. */
  readonly home: string;
  readonly defaultHome: string;
  /** The absolute paths of node and of the command line. */
  readonly node: string;
  readonly program: string;
  /** The variables that the service gets. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A service that starts workloads at the login of the user. */
export interface ServicePlan {
  readonly manager: 'systemd' | 'launchd';
  /** The name of the unit, or the label of the agent. */
  readonly label: string;
  readonly file: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly home: string;
  /** The file for the messages of an agent; systemd has a journal. */
  readonly log: string;
}

/**
 * Plans the service of a home. Homes other than the default one have services of their own.
 * @throws UsageError on a system without a known service manager
 */
export function planService(machine: ServiceMachine): ServicePlan {
  const { platform, userFolder, configFolder, home, defaultHome, node, program, environment } = machine;
  const { suffix } = getHome(home, defaultHome);
  const shared = {
    command: [node, '--', program, 'start', '--all'],
    environment,
    home,
    log: join(home, 'service.log'),
  };
  if (platform === 'darwin') {
    const label = `dev.gatehouse.workloads${suffix}`;
    return { manager: 'launchd', label, file: join(userFolder, 'Library/LaunchAgents', `${label}.plist`), ...shared };
  }
  if (platform !== 'linux')
    throw new UsageError(
      `Services are not supported on ${platform}: this version writes units of systemd and launchd`,
      ['gatehouse start --all   starts the workloads after a restart of the machine'],
    );
  const label = `gatehouse${suffix}.service`;
  return { manager: 'systemd', label, file: join(configFolder, 'systemd/user', label), ...shared };
}

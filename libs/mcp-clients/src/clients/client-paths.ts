import { posix, win32 } from 'node:path';
import type { MachinePath, McpClient } from './mcp-client.ts';

/** The machine and the user whose files are meant. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** Absolute path of the home folder. */
  readonly home: string;
  /** The environment variables that move files: see the rows of `client-table.ts`. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Returns the absolute path of the configuration file of a client. */
export const getClientFile = (client: McpClient, machine: Machine): string => resolvePath(client.file, machine);

/** Returns the path that exists when the client is installed. */
export function getInstallMarker(client: McpClient, machine: Machine): string {
  if (client.marker !== undefined) return resolvePath(client.marker, machine);
  return getPathFunctions(machine).dirname(getClientFile(client, machine));
}

function resolvePath(path: MachinePath, machine: Machine): string {
  if (machine.platform === 'win32' && path.windows !== undefined) return resolvePath(path.windows, machine);
  const paths = getPathFunctions(machine);
  const moved = path.variable === undefined ? undefined : getFolder(path.variable, machine);
  if (moved !== undefined) return paths.join(moved, posix.basename(path.path));
  return paths.join(getBase(path.below, machine), path.path);
}

function getBase(below: MachinePath['below'], machine: Machine): string {
  const { platform, home } = machine;
  const paths = getPathFunctions(machine);
  const xdg = () => getFolder('XDG_CONFIG_HOME', machine) ?? paths.join(home, '.config');
  if (below === 'home') return home;
  if (below === 'xdg') return xdg();
  if (platform === 'win32') return getFolder('APPDATA', machine) ?? paths.join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? paths.join(home, 'Library', 'Application Support') : xdg();
}

/** The folder in a variable. The base directory specification ignores relative paths. */
function getFolder(variable: string, machine: Machine): string | undefined {
  const folder = machine.variables[variable];
  return folder !== undefined && getPathFunctions(machine).isAbsolute(folder) ? folder : undefined;
}

const getPathFunctions = ({ platform }: Machine) => (platform === 'win32' ? win32 : posix);

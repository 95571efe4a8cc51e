import { dirname, join } from 'node:path';

/**
 * The mounts that a sensitive path allows. None ever allows a folder that contains the path.
 *
 * - `never`: not the path, and nothing in it.
 * - `parts-read-only`: single files, and the parts of the folder, read-only.
 * - `parts`: all parts of the folder, but not the folder as a whole.
 * - `read-only`: everything, read-only.
 */
type SensitiveRule = 'never' | 'parts-read-only' | 'parts' | 'read-only';

/** A path that a server gets not at all, in part, or read-only. */
export interface SensitivePath {
  readonly path: string;
  /** A noun phrase for messages. */
  readonly what: string;
  readonly rule: SensitiveRule;
}

/** The places of this machine and of this user. */
export interface Places {
  /** Absolute paths of the home folders of the user. */
  readonly userHomes: readonly string[];
  /** The folder with the state of Gatehouse. */
  readonly gatehouseHome: string;
  /** The path of the socket of the workload's engine; undefined for an engine on the network. */
  readonly engineSocket: string | undefined;
}

const group = (rule: SensitiveRule, what: string, paths: readonly string[]): SensitivePath[] =>
  paths.map((path) => ({ path, what, rule }));

/** Sockets of container engines, relative to a home folder. */
const USER_SOCKETS = [
  '.docker/run/docker.sock',
  '.docker/desktop/docker.sock',
  '.rd/docker.sock',
  '.orbstack/run/docker.sock',
  '.colima/default/docker.sock',
  '.local/share/containers/podman/machine/podman.sock',
];

/** Files and folders with credentials, relative to a home folder. */
const CREDENTIALS = [
  ...['.ssh', '.gnupg', '.aws', '.azure', '.docker', '.kube', '.oci', '.config/gcloud', '.config/gh', '.config/op'],
  ...['.netrc', '.git-credentials', '.config/git/credentials', '.npmrc', '.pypirc', '.cargo/credentials.toml'],
  ...['.vault-token', '.terraform.d', '.password-store', '.local/share/keyrings', 'Library/Keychains'],
  ...['.mozilla', '.config/google-chrome', '.config/chromium', 'Library/Application Support/Google/Chrome'],
];

/** Files and folders whose content the user's next sign-in or shell runs, relative to a home. */
const START_FILES = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.profile', '.zshrc', '.zshenv', '.zprofile', '.config/fish'],
  ...['.config/autostart', '.config/systemd', '.local/bin', 'Library/LaunchAgents'],
];

const SYSTEM: readonly SensitivePath[] = [
  ...group('parts', 'the whole filesystem', ['/']),
  ...group('never', 'interfaces of the kernel', ['/proc', '/sys']),
  ...group('never', 'devices of this machine', ['/dev']),
  ...group('never', 'the socket of a container engine', [
    ...['/run/docker.sock', '/var/run/docker.sock', '/run/podman', '/run/containerd', '/run/crio', '/run/k3s'],
  ]),
  ...group('never', 'sockets that control this machine', [
    '/run/systemd',
    '/run/dbus',
    '/run/user',
    '/run/snapd.socket',
  ]),
  ...group('never', 'the storage of a container engine', [
    ...['/var/lib/docker', '/var/lib/containers', '/var/lib/containerd', '/var/lib/kubelet', '/var/lib/rancher'],
  ]),
  ...group('parts-read-only', 'the settings of this machine', ['/etc']),
  ...group('parts', 'sockets of this machine', ['/run', '/var/run']),
  ...group('parts', 'home folders', ['/home', '/Users']),
  ...group('read-only', 'programs of this machine', [
    ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/boot', '/snap', '/System', '/Library'],
  ]),
  ...group('read-only', 'scheduled work of this machine', ['/var/spool']),
];

/** Returns the home folder that contains a path, by the usual places of home folders. */
function findHomeOf(path: string): string[] {
  const [, home] = /^(\/(?:home|Users)\/[^/]+)(?:\/|$)/.exec(path) ?? [];
  return home === undefined ? [] : [home];
}

const listHomePaths = (home: string): SensitivePath[] => {
  const within = (names: readonly string[]) => names.map((name) => join(home, name));
  return [
    ...group('parts', 'a home folder as a whole', [home]),
    ...group('never', 'the socket of a container engine', within(USER_SOCKETS)),
    ...group('parts-read-only', 'credentials', within(CREDENTIALS)),
    ...group('read-only', 'files that your next shell or sign-in runs', within(START_FILES)),
  ];
};

/**
 * Lists the sensitive paths for a mount.
 * @param source the resolved host path of the mount
 */
export function listSensitivePaths(source: string, places: Places): SensitivePath[] {
  return [
    ...listKnownPaths(source, places.userHomes),
    ...group('never', 'the state of Gatehouse', [places.gatehouseHome]),
    ...(places.engineSocket === undefined
      ? []
      : group('never', 'the socket of the container engine', [places.engineSocket])),
  ];
}

/**
 * Lists the sensitive paths of the system and of home folders.
 * @param path decides which home folders are meant, beside those of the user
 */
export function listKnownPaths(path: string, userHomes: readonly string[]): SensitivePath[] {
  const homes = new Set([...userHomes, '/root', ...findHomeOf(path)]);
  // A user without a home folder has the root of the filesystem as home.
  const real = [...homes].filter((home) => dirname(home) !== home);
  return [...SYSTEM, ...real.flatMap(listHomePaths)];
}

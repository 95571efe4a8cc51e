import { getImageRepository } from '../flags/image-repository.ts';

/** The program that pulls an image. */
export type ImagePuller = 'docker' | 'podman' | 'kubernetes';

/** A pull that failed. */
interface FailedPull {
  /** The host of the registry, with its port. */
  readonly registry: string;
  /** The repository with its host. */
  readonly repository: string;
  readonly puller: ImagePuller;
  /** The message of the program. */
  readonly message: string;
}

/** The program as messages name it. */
const PULLERS: Readonly<Record<ImagePuller, string>> = {
  docker: 'the container engine',
  podman: 'the container engine',
  kubernetes: 'the nodes of the cluster',
};

const SPELLING = 'check the spelling of name and tag';

/** A kind of failure: the texts of Docker, containerd and Podman, and what helps. */
interface FailureKind {
  readonly pattern: RegExp;
  readonly advise: (pull: FailedPull) => readonly string[];
}

/** The kinds in order: a resolver can refuse a connection, and registries of all kinds deny. */
const KINDS: readonly FailureKind[] = [
  {
    pattern: /proxyconnect/,
    advise: ({ puller }) => [`check the HTTPS_PROXY of ${PULLERS[puller]}: the proxy itself cannot be reached`],
  },
  {
    pattern: /\blookup \S+?(?: on |:)|no such host|server misbehaving|failure in name resolution/,
    advise: (pull) => {
      const host = findUnknownHost(pull);
      const isTyped = host === pull.registry.replace(/:\d+$/, '');
      return [
        ...(isTyped ? [`check the spelling of ${host}, the registry, which does not resolve`] : []),
        `check the network, the DNS server and the proxy of ${PULLERS[pull.puller]}, which asks for ${host}`,
      ];
    },
  },
  {
    pattern: /x509: .*(?:unknown authority|self-signed|self signed|not trusted)/,
    advise: ({ registry, puller }) => [describeAuthority(registry, puller)],
  },
  {
    pattern: /HTTP response to HTTPS client/,
    advise: ({ registry, puller }) => [describePlainHttp(registry, puller)],
  },
  {
    pattern: /x509:|tls: /,
    advise: ({ registry, puller }) => [
      `check the certificate of ${registry}, its host name, and the clock of ${PULLERS[puller]}`,
    ],
  },
  {
    pattern: /toomanyrequests|too many requests|rate limit|(?:HTTP|status(?: ?code)?:?) ?429/i,
    advise: ({ registry, puller }) => [
      `repeat the command later: ${registry} limits the number of pulls`,
      signIn(puller, registry, 'raises the limit of most registries'),
    ],
  },
  {
    pattern: /no space left on device/,
    advise: ({ puller }) => [
      puller === 'kubernetes'
        ? 'free space on the nodes of the cluster'
        : `${puller} system df   shows what uses the disk of the container engine`,
    ],
  },
  {
    pattern: /no matching manifest|no image found in manifest list|no match for platform/,
    advise: ({ puller }) => [`choose an image for the platform of ${PULLERS[puller]}; this one is built for others`],
  },
  {
    pattern: /unauthorized|authentication required|no basic auth|(?:invalid|incorrect) username|(?:HTTP|status) 401/i,
    advise: ({ registry, puller }) => [
      signIn(puller, registry, 'when its registry needs a sign-in, or with another password'),
      SPELLING,
    ],
  },
  {
    pattern: /denied|forbidden|insufficient_scope|(?:HTTP|status) 403/i,
    advise: ({ registry, repository, puller }) => [
      `${SPELLING}: many registries deny images that do not exist`,
      signIn(puller, registry, `with an account that may read ${repository}`),
    ],
  },
  {
    pattern: /manifest unknown|name unknown|not found|not known to registry|(?:HTTP|status(?: ?code)?:?) ?404/i,
    advise: ({ registry }) => [`${SPELLING}; ${registry} does not have the image`],
  },
  {
    pattern: /dial tcp|connection (?:refused|reset)|unreachable|no route|time(?:d )?out|deadline|canceled|\bEOF\b/i,
    advise: ({ registry, puller }) => [
      `check that a registry answers at ${registry}`,
      `check the network, the firewall and the proxy of ${PULLERS[puller]}`,
    ],
  },
  {
    pattern: /unexpected HTTP status: 5|(?:HTTP|status(?: ?code)?:?) ?5\d\d/i,
    advise: ({ registry }) => [`repeat the command later: ${registry} has a fault`],
  },
];

/**
 * Tells what helps after a failed pull, by the message of the program that pulled.
 * @param image the reference of the image
 */
export function listPullAdvice(message: string, image: string, puller: ImagePuller): readonly string[] {
  const { host: registry, path } = getImageRepository(image);
  const pull = { registry, repository: `${registry}/${path}`, puller, message };
  // The name of an image is no part of the reason.
  const reason = message.replaceAll(image, '').replaceAll(path.replace(/^library\//, ''), '');
  const kind = KINDS.find(({ pattern }) => pattern.test(reason));
  return kind?.advise(pull) ?? [SPELLING, signIn(puller, registry, 'when its registry needs a sign-in')];
}

/** The host that a resolver does not know: a mirror or a token service may be another one. */
const findUnknownHost = ({ message, registry }: FailedPull): string =>
  /\blookup (\S+?)(?: on |:)/.exec(message)?.[1] ?? registry;

const signIn = (puller: ImagePuller, registry: string, when: string): string =>
  puller === 'kubernetes'
    ? `kubectl create secret docker-registry …   ${when}`
    : `${puller} login${registry === 'docker.io' ? '' : ` ${registry}`}   ${when}`;

const describeAuthority = (registry: string, puller: ImagePuller): string => {
  if (puller === 'kubernetes')
    return `let the nodes of the cluster trust the authority of the certificate of ${registry}`;
  const folder = puller === 'podman' ? '/etc/containers/certs.d' : '/etc/docker/certs.d';
  return `put the certificate of the authority of ${registry} into ${folder}/${registry}/ca.crt of the container engine`;
};

const describePlainHttp = (registry: string, puller: ImagePuller): string => {
  if (puller === 'kubernetes') return `${registry} speaks http: name it in the registry settings of the nodes`;
  return puller === 'podman'
    ? `${registry} speaks http: give it insecure = true in /etc/containers/registries.conf`
    : `${registry} speaks http: add it to insecure-registries in daemon.json of the container engine`;
};

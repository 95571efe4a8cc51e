import { isIP } from 'node:net';

/** Hosts of URLs: one host, or all hosts below a domain. */
interface HostRule {
  /** In the form of the WHATWG URL Standard: lower case, internationalized names as `xn--`. */
  readonly hostname: string;
  /** Whether it is for the hosts below the name, and not for the name itself. */
  readonly isWildcard: boolean;
  /** The port; empty for the default port of the scheme. */
  readonly port: string;
}

/** Hosts for which http is as safe as https. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

/** Why a text is no host rule; undefined for a rule. */
export const findHostFault = (text: string): string | undefined =>
  parseHostRule(text) === undefined
    ? 'is not a host: write a name such as login.example.com, or *.example.com for all hosts below a domain, each with a port if it is not the default'
    : undefined;

/** @returns undefined for a text that is no rule */
function parseHostRule(text: string): HostRule | undefined {
  const isWildcard = text.startsWith('*.');
  const authority = isWildcard ? text.slice(2) : text;
  // These characters end a host in a URL, or are decoded in it.
  if (authority === '' || /[\s/\\?#@%*]/.test(authority) || authority.endsWith(':')) return undefined;
  const url = URL.parse(`https://${authority}`);
  if (url === null || url.port === '0' || url.hostname.split('.').includes('')) return undefined;
  const { hostname, port } = url;
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  // Strangers own hosts of every top-level domain, so a rule for a whole one protects nobody.
  if (isWildcard && (isAddress || !hostname.includes('.'))) return undefined;
  return { hostname, isWildcard, port };
}

/** The hosts that URLs of elicitation may have. */
export class ElicitationHosts {
  private readonly rules: readonly HostRule[];

  /** @param texts that `findHostFault` accepts; others allow no host */
  constructor(texts: readonly string[]) {
    this.rules = texts.map(parseHostRule).filter((rule) => rule !== undefined);
  }

  /**
   * Whether a URL may be shown to a user: https without credentials, or http on this machine, at a
   * host and port of a rule. A rule without a port is for the default port of the scheme.
   */
  isAllowed(url: URL): boolean {
    const { protocol, hostname, username, password } = url;
    const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));
    if (!isSafe || username !== '' || password !== '') return false;
    return this.rules.some(
      (rule) =>
        (rule.isWildcard ? hostname.endsWith(`.${rule.hostname}`) : hostname === rule.hostname) &&
        getPort(url) === (rule.port === '' ? DEFAULT_PORTS[protocol] : rule.port),
    );
  }
}

const getPort = ({ port, protocol }: URL): string | undefined => (port === '' ? DEFAULT_PORTS[protocol] : port);

import { getUserKey } from '../access/directory-view.ts';
import type { Person } from '../ports/personal-credentials.ts';
import type { Connector } from '../ports/snapshot.ts';

/** The credential of the requests to a connector: the connector's own, or the one of a person. */
export type CredentialIdentity = 'connector' | `person ${string}`;

/**
 * A connector as one credential reaches it. Connections, lists, eras, subscriptions and
 * notifications of one identity never serve another.
 */
export interface UpstreamTarget {
  readonly connector: Connector;
  readonly identity: CredentialIdentity;
  /** The person of the identity; undefined for the connector's own. */
  readonly person?: Person;
}

/** The authentications whose credential is the connector's own. Each other one is personal. */
const OWN_TYPES: ReadonlySet<string> = new Set(['none', 'bearerToken', 'headerInjection']);

/** The connector with the identity that its authentication gives to a user. */
export function createTarget(connector: Connector, user: Person): UpstreamTarget {
  if (OWN_TYPES.has(connector.auth.type)) return { connector, identity: 'connector' };
  const { issuer, subject } = user;
  return { connector, identity: createPersonIdentity(getUserKey(user)), person: { issuer, subject } };
}

/** The identity of a person. @param userKey see `getUserKey` */
export const createPersonIdentity = (userKey: string): CredentialIdentity => `person ${userKey}`;

/** The key of a target in maps. */
export const getTargetKey = ({ connector, identity }: UpstreamTarget): string => `${connector.id} ${identity}`;

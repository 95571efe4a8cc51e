import { listClaimValues } from '@gatehouse/auth/claim-values';
import { NotificationListener } from '@gatehouse/database/notifications';
import type { DataSource } from 'typeorm';
import type { AuthenticatedUser } from '../mcp/access/access.ts';
import { DirectoryUnavailableError, getUserKey, type UserChangeListener } from '../mcp/access/directory-view.ts';
import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import {
  type ConnectionStatesRepository,
  readPayload,
  STATES_CHANNEL,
} from '../connection-states/connection-states.repository.ts';
import { EntitlementsMemory } from '../entitlements/entitlements-memory.ts';
import type { TaggedDocument } from '@gatehouse/service-kit/manager-connection';
import { type EntitlementsSource, type TokenUser } from '../entitlements/entitlements-source.ts';
import { WatchedUsers } from '../entitlements/watched-users.ts';

/** Maximum number of users whose states are remembered. */
const MAX_USERS = 20_000;

/** The dependencies of the entitlements of local mode. */
export interface LocalEntitlementsOptions {
  states: Pick<ConnectionStatesRepository, 'list'>;
  dataSource: DataSource;
  issuers: readonly { id: string; issuer: string }[];
  /** The claim with the groups of a user. */
  groupsClaim: string;
  log: PlaneLog;
}

/**
 * The entitlements of users in local mode: every verified user is active, groups come from the
 * token, states from the database of this gateway. States are remembered while Postgres notifies of
 * their changes, and read for every request while it does not.
 *
 * The ids of users and groups begin with the id of their issuer, so that equal names of two issuers
 * never share a right.
 */
export class LocalEntitlements implements EntitlementsSource {
  private readonly memory = new EntitlementsMemory(this, MAX_USERS);
  private readonly watched = new WatchedUsers((user) => this.findStates(user));
  private readonly listener: NotificationListener<typeof STATES_CHANNEL>;
  private readonly issuerIds: ReadonlyMap<string, string>;
  /** The entitlements with groups, by the states and the claims of the token. */
  private readonly complete = new WeakMap<Entitlements, WeakMap<AuthenticatedUser['claims'], Entitlements>>();

  constructor(private readonly options: LocalEntitlementsOptions) {
    this.issuerIds = new Map(options.issuers.map(({ id, issuer }) => [issuer, id]));
    this.listener = new NotificationListener(options.dataSource, {
      applicationName: 'connector-gateway-states',
      channels: [STATES_CHANNEL],
      onNotification: (_, payload) => this.applyChange(payload),
      onListening: () => this.applyChange(''),
      onLoss: (error) =>
        options.log.warn({ err: error }, 'notifications of changed states are lost; states are read for every request'),
    });
  }

  start(): Promise<void> {
    return this.listener.start();
  }

  async stop(): Promise<void> {
    this.watched.stop();
    await this.listener.stop();
  }

  /** The entitlements of a user, at once if they are known. @throws DirectoryUnavailableError */
  get(user: AuthenticatedUser): Entitlements | Promise<Entitlements> {
    const states = this.findStates(user);
    if (states instanceof Promise) return states.then((found) => this.addGroups(found, user));
    return this.addGroups(states, user);
  }

  /** Calls the listener after each change of a user. @returns a function that ends this */
  watch(user: AuthenticatedUser, listener: UserChangeListener): () => void {
    return this.watched.add(user, (states) => listener(states && this.addGroups(states, user)));
  }

  /** Marks a user as changed after a write of this gateway, so that the write holds at once. */
  markChanged(user: TokenUser): void {
    this.memory.markChanged(user);
    this.watched.refresh(getUserKey(user));
  }

  async fetchEntitlements(user: TokenUser, etag?: string): Promise<TaggedDocument<Entitlements> | undefined> {
    const { issuer, subject } = user;
    const states = await this.options.states.list(user);
    const version = states.map((state) => `${state.connector_id} ${state.version}`).join(',');
    if (etag === `"${version}"`) return undefined;
    const body: Entitlements = {
      user_id: this.createId(issuer, subject),
      issuer,
      subject,
      active: true,
      groups: [],
      connections: states.flatMap(({ connector_id, enabled, version, updated_at }) =>
        enabled === null ? [] : [{ ...ALL_TOOLS, connector_id, enabled, updated_at, version }],
      ),
      cleared_connections: states
        .filter(({ enabled }) => enabled === null)
        .map(({ connector_id, version }) => ({ connector_id, version })),
      version,
      enabledByDefault: true,
    };
    return { body, etag: `"${version}"` };
  }

  private findStates(user: TokenUser): Entitlements | Promise<Entitlements> {
    if (!this.listener.isListening) return this.readStates(user);
    const known = this.memory.get(user);
    return known instanceof Promise ? known.then(requireFound) : requireFound(known);
  }

  private async readStates(user: TokenUser): Promise<Entitlements> {
    const fetched = await this.fetchEntitlements(user).catch((cause: unknown) => {
      throw new DirectoryUnavailableError('the states of this user cannot be read', { cause });
    });
    return requireFound(fetched?.body);
  }

  private applyChange(payload: string): void {
    const user = readPayload(payload);
    if (user !== undefined) {
      this.markChanged(user);
      return;
    }
    this.memory.markAllChanged();
    this.watched.refreshAll();
  }

  /** The same states and claims give the same object, so that compiled rights stay valid. */
  private addGroups(states: Entitlements, { issuer, claims }: AuthenticatedUser): Entitlements {
    let byClaims = this.complete.get(states);
    if (byClaims === undefined) this.complete.set(states, (byClaims = new WeakMap()));
    let complete = byClaims.get(claims);
    if (complete === undefined) {
      const groups = [...listClaimValues(claims, this.options.groupsClaim)].map((group) =>
        this.createId(issuer, group),
      );
      byClaims.set(claims, (complete = { ...states, groups }));
    }
    return complete;
  }

  private createId(issuer: string, name: string): string {
    return `${this.issuerIds.get(issuer) ?? issuer}/${name}`;
  }
}

const ALL_TOOLS = { tools_enabled_by_default: true, tools_exception_list: [] };

/** Every verified user has entitlements. */
function requireFound(entitlements: Entitlements | undefined): Entitlements {
  if (entitlements === undefined) throw new DirectoryUnavailableError('the states of this user are not known');
  return entitlements;
}

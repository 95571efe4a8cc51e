import type { SignedConfigCode } from '@gatehouse/signed-config/errors';
import { SignedConfigError } from '@gatehouse/signed-config/errors';
import {
  type ConfigPlace,
  type ConfigTransport,
  readStoredConfig,
  refreshConfig,
} from '@gatehouse/signed-config/stored-config';
import type { VerifiedConfig } from '@gatehouse/signed-config/verify';
import type { ManagerEnvironment } from '../config/config.ts';
import { configFiles } from './config-store.ts';
import { connect, createSessions, type ManagerFlags } from './manager/connect.ts';
import { toCliError, type Manager } from './manager/manager.ts';
import { getProfile } from './manager/profile.ts';
import { ManagerUnavailableError } from './session/discovery.ts';
import { RefusedError } from '../errors/cli-error.ts';

/** The client type of the CLI in configuration requests. */
const AUDIENCE = 'gatehouse-cli';

/** The input of a command about the configuration. */
export interface ConfigRequest {
  readonly home: string;
  readonly managerFlags: ManagerFlags;
  readonly environment: ManagerEnvironment;
  /** Version of this command line. */
  readonly version: string;
  readonly say: (text: string) => void;
  readonly now: () => Date;
}

/** A verified configuration, as `--json` shows it. */
export interface ShownConfig extends VerifiedConfig {
  readonly manager: string;
  /** `kept`: the stored configuration; `fresh`: the manager's current response. */
  readonly source: 'fresh' | 'kept';
}

/**
 * The configuration to use: the stored one until its refresh time, then the manager's current one.
 * While the manager is unavailable, the stored one is used until it expires.
 * @throws CliError `refused` for a configuration that is not valid
 */
export async function showConfig(request: ConfigRequest): Promise<ShownConfig> {
  const { place, manager, store } = await openStore(request);
  const kept = await readStoredConfig(place, store, request.now()).catch(ignoreInvalid);
  if (kept && Date.parse(kept.issued_at) + kept.refresh_interval_ms > request.now().getTime()) {
    return toShownConfig(place, kept, 'kept');
  }
  try {
    return toShownConfig(
      place,
      await refreshConfig(place, { store, transport: createTransport(manager, request), now: request.now }),
      'fresh',
    );
  } catch (error) {
    if (!(error instanceof ManagerUnavailableError) || !kept) throw toConfigError(place.manager, error);
    request.say(
      `${error.message}. This is the stored configuration of ${kept.issued_at}, valid until ${kept.not_after}.`,
    );
    return toShownConfig(place, kept, 'kept');
  }
}

/**
 * Requests the configuration from the manager.
 * @throws CliError `refused` for an invalid response; the stored configuration stays
 */
export async function refreshShownConfig(request: ConfigRequest): Promise<ShownConfig> {
  const { place, manager, store } = await openStore(request);
  try {
    return toShownConfig(
      place,
      await refreshConfig(place, { store, transport: createTransport(manager, request), now: request.now }),
      'fresh',
    );
  } catch (error) {
    throw toConfigError(place.manager, error);
  }
}

/** The user, the manager and the storage of the configuration. */
async function openStore({ home, managerFlags, environment, say }: ConfigRequest) {
  const manager = connect(home, managerFlags, environment);
  const sessions = createSessions(home, environment);
  const automation = managerFlags.tokenFile ?? environment.token ?? environment.tokenFile;
  const known = automation === undefined ? (await sessions.read(manager.url))?.person : undefined;
  const { issuer, subject } = known ?? (await getProfile(manager));
  const place: ConfigPlace = { manager: manager.url, audience: AUDIENCE, issuer, subject };
  const store = configFiles(home, (file) => say(`${file} is damaged and is ignored`));
  return { place, manager, store };
}

function createTransport(manager: Manager, { version }: ConfigRequest): ConfigTransport {
  return {
    config: async (kept) => {
      const response = await manager.get('/api/v1beta/config', {
        'x-client-type': AUDIENCE,
        'x-client-version': version,
        ...(kept && {
          'if-none-match': kept.http_etag,
          // Two envelopes with the same content have the same ETag. The time identifies this
          // client's envelope.
          'if-modified-since': new Date(kept.issued_at).toUTCString(),
        }),
      });
      if (response.status === 304) return undefined;
      const text = await response.text();
      if (response.ok) return { envelope: text, http_etag: response.headers.get('etag') ?? '' };
      throw toCliError(manager, response, parseJson(text));
    },
    keys: async () => {
      const response = await manager.get('/.well-known/jwks.json', {});
      const body = parseJson(await response.text());
      if (response.ok) return body;
      throw toCliError(manager, response, body);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const toShownConfig = ({ manager }: ConfigPlace, config: VerifiedConfig, source: 'fresh' | 'kept'): ShownConfig => ({
  manager,
  source,
  ...config,
});

function ignoreInvalid(error: unknown): undefined {
  if (error instanceof SignedConfigError) return undefined;
  throw error;
}

/** The advice for a rejected envelope, where the user can do something. */
const ADVICE: Partial<Readonly<Record<SignedConfigCode, string>>> = {
  expired: 'check the clock of this machine, and that of the manager',
  issued_in_future: 'check the clock of this machine',
  rolled_back: 'ask the administrator: an attacker may be sending an old configuration',
  unknown_key: 'ask the administrator: the signing key of the manager is not in its key set',
  bad_signature: 'ask the administrator: the configuration or the key set was changed during the transfer',
  wrong_subject: 'gatehouse whoami   shows how the manager identifies you',
};

function toConfigError(manager: string, error: unknown): unknown {
  if (!(error instanceof SignedConfigError)) return error;
  const advice = ADVICE[error.code];
  const sentence = `The configuration of ${manager} is invalid: ${error.message} (${error.code})`;
  return new RefusedError(sentence, advice === undefined ? [] : [advice], error);
}

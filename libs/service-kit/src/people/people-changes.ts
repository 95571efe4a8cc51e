import {
  ChangedBindingDto,
  ChangedPersonDto,
  PeopleChangesDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { retry } from '@gatehouse/retry/retry';
import { checkReceivedDocument } from '../contracts/received.ts';
import type { ClientToken } from './client-token.ts';
import { outgoingHeaders } from '../telemetry/request-context.ts';

/** Request timeout. It exceeds the maximum wait of the enterprise manager (30 s). */
const ANSWER_MS = 40_000;

/** The used members of the answer to `GET /gateway/v1/people/changes`. */
export type PeopleChanges = Pick<PeopleChangesDto, 'version' | 'people' | 'bindings' | 'reset'>;

/** Members that an enterprise manager of the previous release does not send. */
const ADDED = { bindings: [], all: false };

/** @throws ContractViolationError */
const checkPeopleChanges = (body: unknown): Promise<PeopleChanges> =>
  checkReceivedDocument(PeopleChangesDto, typeof body === 'object' ? { ...ADDED, ...body } : body, {
    people: ChangedPersonDto,
    bindings: ChangedBindingDto,
  });

/**
 * Fetches the users whose activity changed after a version, and waits up to `waitSeconds` for a
 * change.
 */
export type FetchPeopleChanges = (after: number, waitSeconds: number, signal: AbortSignal) => Promise<PeopleChanges>;

/**
 * Fetches changes from an enterprise manager with the access token of this service. A refused token
 * is replaced once.
 */
export function fetchFromManager(
  managerUrl: string,
  token: Pick<ClientToken, 'get' | 'forget'>,
  send: ReturnType<typeof createConfiguredFetch> = createConfiguredFetch([managerUrl]),
): FetchPeopleChanges {
  const fetchOnce = async (path: string, signal: AbortSignal): Promise<PeopleChanges> => {
    const bearer = await token.get();
    const response = await send(`${managerUrl}${path}`, {
      headers: { ...outgoingHeaders(), authorization: `Bearer ${bearer}`, accept: 'application/json' },
      signal,
    });
    if (response.ok) return checkPeopleChanges(await response.json());
    const text = (await response.text()).slice(0, 300);
    if (response.status === 401) token.forget(bearer);
    throw new PeopleChangesError(response.status, text);
  };
  return (after, waitSeconds, signal) => {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const path = `/gateway/v1/people/changes?after=${after}&wait=${waitSeconds}`;
    const shouldRetry = (error: unknown) => error instanceof PeopleChangesError && error.status === 401;
    return retry(() => fetchOnce(path, ends), { maxRetries: 1, shouldRetry });
  };
}

/** The enterprise manager did not answer with changes. */
class PeopleChangesError extends GatehouseError {
  override readonly code = 'people_changes_failed';
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(`the enterprise manager answered ${status} to GET /gateway/v1/people/changes: ${text}`);
  }
}

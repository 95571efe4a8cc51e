import { ChangedBindingDto, ChangedPersonDto, PeopleChangesDto } from '@gatehouse/contracts-enterprise-manager/dto';
import { configuredFetch } from '@gatehouse/egress/configured';
import { checkReceivedDocument } from '../contracts/received.ts';
import type { ClientToken } from './client-token.ts';
import { outgoingHeaders } from '../telemetry/request-context.ts';

/** Longer than the enterprise manager waits for a change (30 s). */
const ANSWER_MS = 40_000;

/** The answer to `GET /gateway/v1/people/changes`, as far as it is used. */
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
 * Asks for the people whose activity changed after a version, and waits up to `waitSeconds` for a
 * change.
 */
export type AskForChanges = (after: number, waitSeconds: number, signal: AbortSignal) => Promise<PeopleChanges>;

/**
 * The question to an enterprise manager, with the access token of this service. A refused token is
 * replaced once.
 */
export function askEnterpriseManager(
  managerUrl: string,
  token: Pick<ClientToken, 'get' | 'refused'>,
  send: ReturnType<typeof configuredFetch> = configuredFetch([managerUrl]),
): AskForChanges {
  return async (after, waitSeconds, signal) => {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    for (let attempt = 0; ; attempt += 1) {
      const bearer = await token.get();
      const response = await send(`${managerUrl}/gateway/v1/people/changes?after=${after}&wait=${waitSeconds}`, {
        headers: { ...outgoingHeaders(), authorization: `Bearer ${bearer}`, accept: 'application/json' },
        signal: ends,
      });
      if (response.ok) return checkPeopleChanges(await response.json());
      const text = (await response.text()).slice(0, 300);
      if (response.status !== 401 || attempt > 0)
        throw new Error(`the enterprise manager answered ${response.status} to the question for people: ${text}`);
      token.refused(bearer);
    }
  };
}

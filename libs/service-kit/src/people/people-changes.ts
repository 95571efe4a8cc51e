import {
  ChangedBindingDto,
  ChangedPersonDto,
  PeopleChangesDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import { checkReceivedDocument } from '../contracts/received.ts';
import { createPollSignal, type ManagerConnection } from '../manager/manager-connection.ts';

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
 * @throws ManagerError
 */
export type FetchPeopleChanges = (after: number, waitSeconds: number, signal: AbortSignal) => Promise<PeopleChanges>;

/** Fetches changes from an enterprise manager. */
export const fetchFromManager =
  (manager: Pick<ManagerConnection, 'call'>): FetchPeopleChanges =>
  (after, waitSeconds, signal) =>
    manager.call('GET', `/gateway/v1/people/changes?after=${after}&wait=${waitSeconds}`, checkPeopleChanges, {
      signal: createPollSignal(waitSeconds, signal),
    });

import { configuredFetch } from '@gatehouse/egress/configured';
import { z } from 'zod';
import type { ClientToken } from './client-token.ts';
import { outgoingHeaders } from '../telemetry/request-context.ts';

/** Longer than the enterprise manager waits for a change (30 s). */
const ANSWER_MS = 40_000;

/** What the enterprise manager answers to `GET /gateway/v1/people/changes`. */
const PeopleChanges = z.object({
  version: z.int().min(0),
  people: z.array(z.object({ issuer: z.string(), subject: z.string(), active: z.boolean() })),
  // An enterprise manager of the previous release does not send them.
  bindings: z
    .array(z.object({ issuer: z.string(), claim: z.string(), binding_key: z.string(), active: z.boolean() }))
    .default([]),
  reset: z.boolean(),
});
export type PeopleChanges = z.infer<typeof PeopleChanges>;

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
      if (response.ok) return PeopleChanges.parse(await response.json());
      const text = (await response.text()).slice(0, 300);
      if (response.status !== 401 || attempt > 0)
        throw new Error(`the enterprise manager answered ${response.status} to the question for people: ${text}`);
      token.refused(bearer);
    }
  };
}

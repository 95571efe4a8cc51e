import { describe, expect, it } from '@jest/globals';
import type { RefusalsService } from '@gatehouse/audit/refusals.service';
import { InvalidProviderError, ProviderRefusalError, ProviderUnavailableError } from '@gatehouse/oauth-client/errors';
import type { Log } from '@gatehouse/service-kit/log';
import type { Connector } from '../mcp/ports/snapshot.ts';
import { ExchangeOutcomes } from './exchange-outcomes.ts';
import type { ExchangeRefusalsRepository } from './exchange-refusals.repository.ts';

const connector = { id: 'files' } as Connector;
const alice = { issuer: 'https://issuer.test', subject: 'alice' };
const bob = { ...alice, subject: 'bob' };

function createOutcomes() {
  const events: string[] = [];
  const audit = {
    record: ({ caller, reason }: { caller: { subject: string }; reason: string }) => {
      events.push(`${caller.subject} ${reason}`);
      return Promise.resolve();
    },
  };
  const outcomes = new ExchangeOutcomes(
    {} as unknown as ExchangeRefusalsRepository,
    audit as unknown as RefusalsService,
    {} as unknown as Log,
  );
  return { events, outcomes };
}

describe('a failed exchange', () => {
  it('is one audit event for each person and reason, whatever the number of calls', async () => {
    const { events, outcomes } = createOutcomes();
    for (let call = 0; call < 50; call += 1)
      for (const person of [alice, bob]) {
        await outcomes.recordFailure(connector, person, new InvalidProviderError('garbage'));
        await outcomes.recordFailure(connector, person, new ProviderRefusalError('no', 'invalid_target', undefined));
      }
    expect(events).toEqual([
      'alice oauth_provider_invalid',
      'alice oauth_request_refused',
      'bob oauth_provider_invalid',
      'bob oauth_request_refused',
    ]);
  });

  it('is no audit event for an outage of the provider', async () => {
    const { events, outcomes } = createOutcomes();
    await outcomes.recordFailure(connector, alice, new ProviderUnavailableError('down'));
    expect(events).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig, serviceSettings } from '@gatehouse/service-kit/config';
import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { createService } from '@gatehouse/service-kit/start';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { waitForValue } from '@gatehouse/testing/eventually';
import { Module } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { service as description } from '../src/openapi.ts';
import { SettlementModule } from '../src/settlement/settlement.module.ts';
import { settlementSettings } from '../src/settlement/settlement-settings.ts';
import { type UsageReceipt, UsageReports, UsageReportsError } from '../src/settlement/usage-reports.ts';
import { UsageRecorder } from '../src/settlement/usage-recorder.ts';
import { createIntent, createOutcome } from '../src/settlement/usage.fixture.ts';

@Module({})
class TestModule {}

/** An enterprise manager that answers all events with one status, or refuses all batches. */
class FakeReports extends UsageReports {
  readonly delivered: string[] = [];
  status = 'charged';
  refusal: UsageReportsError | undefined;

  override deliver(text: string): Promise<readonly UsageReceipt[]> {
    if (this.refusal !== undefined) return Promise.reject(this.refusal);
    const reports = JSON.parse(text) as { interaction_id: string }[];
    this.delivered.push(...reports.map(({ interaction_id }) => interaction_id));
    return Promise.resolve(reports.map(() => ({ status: this.status, error: 'the model is unknown' })));
  }
}

describe('a service with a usage outbox', () => {
  let folder: string;
  let issuer: TestIssuer;
  let reports: FakeReports;
  const services: Awaited<ReturnType<typeof createService>>[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
    issuer = await startIssuer();
    reports = new FakeReports();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.close()));
    await issuer.close();
    rmSync(folder, { recursive: true });
  });

  async function start(environment: Record<string, string> = {}) {
    const settings = loadConfig(z.object(settlementSettings), { USAGE_FOLDER: folder, ...environment });
    const service = await createService({
      ...description,
      settings: loadConfig(z.object(serviceSettings), { ...serviceEnvironment(issuer), CURSOR_KEY: 'k'.repeat(32) }),
      module: {
        module: TestModule,
        imports: [
          SettlementModule.of({ ...settings, GATEWAY_ID: 'ai-a' }),
          SharedValueModule.of(UsageReports, reports),
        ],
      },
    });
    services.push(service);
    await service.listen();
    const recorder = service.app.get(UsageRecorder, { strict: false });
    const readReadiness = async () => {
      const response = await fetch(`${service.url}/readyz`);
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const record = async (number: number) => {
      const intent = createIntent(number);
      recorder.begin(intent);
      await recorder.finish(intent, createOutcome());
      return intent.interaction_id;
    };
    return { service, recorder, readReadiness, record };
  }

  it('delivers an event soon after its attempt, and the last ones while it stops', async () => {
    const { service, record } = await start();
    const first = await record(1);
    await waitForValue(
      () => reports.delivered.length,
      (count) => count === 1,
    );
    const last = await record(2);
    await service.close();
    expect(reports.delivered).toEqual([first, last]);
  });

  it('charges at its start what a killed process left', async () => {
    const { service, recorder } = await start();
    const orphan = createIntent(1);
    recorder.begin(orphan);
    await service.close();
    await start();
    await waitForValue(
      () => reports.delivered,
      (ids) => ids.includes(orphan.interaction_id),
    );
  });

  it('does not start with the folder of another process', async () => {
    await start();
    await expect(start()).rejects.toThrow(`USAGE_FOLDER: Another process uses the usage outbox in ${folder}.`);
  });

  it('is not ready while the outbox is full, and says why', async () => {
    reports.refusal = new UsageReportsError(403, 'no registered gateway');
    const { record, readReadiness } = await start({ MAX_USAGE_EVENTS: '2' });
    await record(1);
    await record(2);
    await expect(record(3)).rejects.toThrow('The gateway cannot record the usage of the request now.');
    expect(await readReadiness()).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/not ready: usage outbox \(.*it is full: 2 events wait/) },
    });
    reports.refusal = undefined;
    await waitForValue(readReadiness, ({ status }) => status === 200);
    await record(3);
  });

  it('warns about events that the enterprise manager refuses or rejects', async () => {
    reports.refusal = new UsageReportsError(403, 'no registered gateway');
    const { record, readReadiness } = await start();
    await record(1);
    const { body } = await waitForValue(readReadiness, ({ body }) => body['usage delivery'] !== undefined);
    expect(body).toMatchObject({
      status: 'ready',
      'usage delivery': expect.stringMatching(/^the enterprise manager refuses .* with 403/),
    });
    reports.status = 'rejected';
    reports.refusal = undefined;
    await waitForValue(readReadiness, (state) => state.body['usage delivery']?.includes('rejected 1') === true);
  });
});

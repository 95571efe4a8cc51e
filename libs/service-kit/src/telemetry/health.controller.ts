import { Controller, Get, Inject } from '@nestjs/common';
import { z } from 'zod';
import { HttpError } from '../errors/http-error.ts';
import { Public } from '../routes/access.ts';
import { Operation } from '../routes/operation.ts';
import { Log } from './log.ts';
import { Readiness } from './readiness.ts';
import { ReadinessChanges } from './readiness-changes.ts';

const Health = z.record(z.string(), z.string()).meta({ id: 'HealthBody', description: 'The state of the service' });

/** Liveness and readiness of a service. */
@Controller()
export class HealthController {
  private readonly changes: ReadinessChanges;

  constructor(
    @Inject(Readiness) private readonly readiness: Readiness,
    @Inject(Log) log: Log,
  ) {
    this.changes = new ReadinessChanges(log);
  }

  @Get('healthz')
  @Public()
  @Operation({
    id: 'health_check',
    summary: 'Health check',
    tag: 'health',
    success: { status: 200, schema: Health },
    errors: [],
    examples: { response: { status: 'ok' } },
  })
  checkHealth() {
    return { status: 'ok' };
  }

  /** @throws HttpError unavailable, naming each check that fails */
  @Get('readyz')
  @Public()
  @Operation({
    id: 'readiness_check',
    summary: 'Readiness check',
    tag: 'health',
    success: { status: 200, schema: Health },
    errors: [503],
    examples: { response: { status: 'ready' }, failures: { 503: 'not ready: database' } },
  })
  async checkReadiness() {
    const failing = await this.readiness.failing();
    this.changes.note(failing);
    if (failing.length === 0) return { status: 'ready' };
    throw new HttpError('unavailable', `not ready: ${failing.map(({ name }) => name).join(', ')}`);
  }
}

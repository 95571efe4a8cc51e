import { waitForValue } from '@gatehouse/testing/eventually';
import { FORMAT_HEADERS, FORMAT_REQUESTS, type FormatName, type FormatRequestFacts } from './format-requests.ts';
import type { MeteredWorld } from './metered-world.ts';
import type { VendorRecord } from './sdk-target.ts';

/** A usage event with its charge, as the enterprise manager has it. */
export interface ChargedEvent {
  readonly id: string;
  readonly interaction_id: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly model: string;
  readonly raw_usage: object | null;
  readonly estimated_usage?: Readonly<Record<string, number>>;
  /** Undefined for an event without a charge. */
  readonly charged_usd: string | undefined;
  readonly basis: string | undefined;
}

/** The model of each format. */
export const FORMAT_MODELS: Readonly<Record<FormatName, string>> = {
  chat: 'gpt-5.4',
  response: 'gpt-5.4',
  message: 'claude-haiku-5-5',
  content: 'gemini-2.5-flash',
};

/** The names of all formats. */
export const FORMAT_NAMES = Object.keys(FORMAT_REQUESTS) as FormatName[];

/** How a request is sent. */
export interface SendOptions {
  /** The position of the gateway in the world. */
  readonly gateway?: number;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A caller of its own with an access token, and what the enterprise manager knows about it. */
export class MeteredCaller {
  private constructor(
    private readonly world: MeteredWorld,
    /** The `sub` of its token and the id of its budget. */
    readonly subject: string,
    readonly token: string,
  ) {}

  /** @param limitUsd the budget of the month; without one, the caller is not limited */
  static async create(world: MeteredWorld, limitUsd?: string): Promise<MeteredCaller> {
    const subject = world.takeCaller();
    if (limitUsd !== undefined)
      await world.manager.call('admin', 'PUT', `/v1/budgets/users/${subject}`, {
        limit_usd: limitUsd,
        period: 'month',
      });
    return new MeteredCaller(world, subject, await world.manager.issuer.token({ subject }));
  }

  /** Sends a generating request to the model of its format, unless the facts name another one. */
  send(format: FormatName, facts: Partial<FormatRequestFacts>, options: SendOptions = {}): Promise<Response> {
    const request = FORMAT_REQUESTS[format]({ text: 'Hello', model: FORMAT_MODELS[format], ...facts });
    return this.post(request.path, request.body, options);
  }

  post(path: string, body: string, { gateway = 0, signal, headers }: SendOptions = {}): Promise<Response> {
    return fetch(`${this.world.gateways[gateway]?.url ?? ''}${path}`, {
      method: 'POST',
      headers: { ...FORMAT_HEADERS, authorization: `Bearer ${this.token}`, ...headers },
      body,
      ...(signal && { signal }),
    });
  }

  /** Returns the events when there are as many as expected, by the order of their attempts. */
  async untilEvents(count: number): Promise<ChargedEvent[]> {
    return waitForValue(
      () => this.readEvents(),
      ({ length }) => length === count,
    );
  }

  async readEvents(): Promise<ChargedEvent[]> {
    const { manager } = this.world;
    const { events } = await manager.call<{ events: ChargedEvent[] }>(
      'admin',
      'GET',
      `/v1/budgets/events?auth_subject=${this.subject}&limit=1000`,
    );
    const { charges } = await manager.call<{ charges: (ChargedEvent & { event_id: string })[] }>(
      'admin',
      'GET',
      `/v1/budgets/charges?scope=user&subject_id=${this.subject}&limit=1000`,
    );
    const byEvent = new Map(charges.map((charge) => [charge.event_id, charge]));
    return events
      .map((event) => {
        const { charged_usd, basis } = byEvent.get(event.id) ?? {};
        return { ...event, charged_usd, basis };
      })
      .sort((one, other) => one.attempt - other.attempt);
  }

  /** The requests with this name at the vendors. */
  async readRequests(name: string): Promise<VendorRecord[]> {
    return (await this.world.vendors.readLog()).filter((record) => record.name === name);
  }
}

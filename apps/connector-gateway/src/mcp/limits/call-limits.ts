import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import type { JsonObject } from '@gatehouse/mcp/json-rpc';
import type { Connector } from '../ports/snapshot.ts';
import type { CallRates } from './call-rates.ts';
import type { ConnectorLimits, ScopedLimit } from './gateway-limits.ts';

/** The code of a request above a limit, as in HTTP (RFC 6585, section 4). */
const TOO_MANY_REQUESTS = 429;

/** Wait after a refusal for too many calls under way, which end at any time. */
const CONCURRENCY_RETRY_SECONDS = 1;

/** A call that limits apply to. */
export interface LimitedCall {
  user: { issuer: string; subject: string };
  connector: Pick<Connector, 'id' | 'name'>;
  /** The upstream's own name. */
  tool: string;
  arguments: JsonObject | undefined;
}

/** A refused call: the error of its response, and the reason for its record. */
export interface LimitRefusal {
  error: RpcError;
  reason: string;
}

/** Applies the limits of a gateway to tool calls. */
export class CallLimits {
  /** Calls under way by connector, while a limit applies. */
  private readonly running = new Map<string, number>();

  constructor(private readonly rates: Pick<CallRates, 'count' | 'uncount'>) {}

  /**
   * Admits a call. An admitted call ends with `release`.
   * @returns the refusal, or undefined for an admitted call
   */
  async admit(limits: ConnectorLimits, call: LimitedCall): Promise<LimitRefusal | undefined> {
    const { argumentBytes, concurrent, perPerson, perTool } = limits;
    if (argumentBytes !== undefined && measureJson(call.arguments ?? {}) > argumentBytes)
      return createArgumentRefusal(argumentBytes);
    if (concurrent !== undefined && (this.running.get(call.connector.id) ?? 0) >= concurrent)
      return createConcurrencyRefusal(call.connector.name, concurrent);
    // The place is taken before the wait for a rate, so that parallel calls cannot take it too.
    this.enter(call.connector.id);
    const refusal = await this.countRates(perPerson, perTool, call).catch((error: unknown) => {
      this.release(call.connector.id);
      throw error;
    });
    if (refusal !== undefined) this.release(call.connector.id);
    return refusal;
  }

  /** Ends an admitted call. */
  release(connectorId: string): void {
    const running = (this.running.get(connectorId) ?? 0) - 1;
    if (running > 0) this.running.set(connectorId, running);
    else this.running.delete(connectorId);
  }

  private enter(connectorId: string): void {
    this.running.set(connectorId, (this.running.get(connectorId) ?? 0) + 1);
  }

  private async countRates(
    perPerson: ScopedLimit | undefined,
    perTool: ScopedLimit | undefined,
    { user, connector, tool }: LimitedCall,
  ): Promise<LimitRefusal | undefined> {
    const personRate = JSON.stringify(['person', perPerson?.connectorId ?? null, user.issuer, user.subject]);
    if (perPerson !== undefined) {
      const retryAfterMs = await this.rates.count(personRate, perPerson.value);
      if (retryAfterMs !== undefined)
        return createRateRefusal(`you have made ${perPerson.value} tool calls in a minute`, retryAfterMs);
    }
    if (perTool === undefined) return undefined;
    const retryAfterMs = await this.rates.count(JSON.stringify(['tool', connector.id, tool]), perTool.value);
    if (retryAfterMs === undefined) return undefined;
    if (perPerson !== undefined) this.rates.uncount(personRate);
    return createRateRefusal(`this tool was called ${perTool.value} times in a minute`, retryAfterMs);
  }
}

/** Bytes of a value as JSON. */
export const measureJson = (value: JsonObject): number => Buffer.byteLength(JSON.stringify(value));

function createRateRefusal(sentence: string, retryAfterMs: number): LimitRefusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const message = `${sentence}, the most that this gateway allows; try again in ${retryAfterSeconds} s`;
  return {
    error: new RpcError(TOO_MANY_REQUESTS, message, { retryAfterSeconds }),
    reason: `rate limited: ${sentence}`,
  };
}

function createConcurrencyRefusal(connector: string, most: number): LimitRefusal {
  const sentence = `${most} calls of ${connector} are under way`;
  return {
    error: new RpcError(TOO_MANY_REQUESTS, `${sentence}, the most that this gateway allows; try again later`, {
      retryAfterSeconds: CONCURRENCY_RETRY_SECONDS,
    }),
    reason: `concurrency limited: ${most} calls are under way`,
  };
}

function createArgumentRefusal(most: number): LimitRefusal {
  const message = `params.arguments has more than ${most} bytes, the most that this gateway allows for this connector; send smaller arguments`;
  return {
    error: new RpcError(ErrorCode.invalidParams, message, { maxArgumentBytes: most }),
    reason: `the arguments have more than ${most} bytes`,
  };
}

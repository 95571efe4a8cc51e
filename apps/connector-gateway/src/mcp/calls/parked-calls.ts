import { ErrorCode, RpcError } from '@gatehouse/mcp/errors';
import { isJsonObject, type JsonObject } from '@gatehouse/mcp/json-rpc';
import { randomUUID } from 'node:crypto';
import { getUserKey } from '../access/directory-view.ts';
import { type ClientCall, createInvalidParamsError } from './client-call.ts';
import type { RequestStates } from './request-states.ts';

/** Longest time of a parked call, and the most parked calls of one user in one process. */
const PARKED_MS = 300_000;
const MAX_PARKED_PER_USER = 100;

interface Question {
  request: JsonObject;
  answer: (result: JsonObject) => void;
  fail: (error: Error) => void;
}

/**
 * A call at a legacy upstream for a modern client. The upstream asks on the stream of its call; the
 * client answers with its next request (MCP 2026-07-28, multi round-trip requests).
 */
export class BridgedCall {
  private readonly stopping = new AbortController();
  private readonly questions = new Map<string, Question>();
  private count = 0;
  private wake = Promise.withResolvers<undefined>();
  private result: Promise<JsonObject> | undefined;
  /** The request of the client that waits for this call now. */
  current: ClientCall | undefined;

  constructor(readonly user: string) {}

  /** Fires when the call is cancelled or was parked for too long. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Starts the call at the upstream. */
  start(work: () => Promise<JsonObject>): void {
    this.result = work();
    // The result can fail while no request of the client waits for it.
    this.result.catch(() => undefined);
  }

  /** Keeps a request of the upstream until the client answers it. */
  ask(method: string, params: JsonObject | undefined): Promise<JsonObject> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const request = { method, ...(params && { params }) };
    this.questions.set(`question-${(this.count += 1)}`, { request, answer: resolve, fail: reject });
    this.wake.resolve(undefined);
    return promise;
  }

  /** Answers the questions that the client names. Others stay open. */
  answer(inputResponses: unknown): void {
    for (const [name, { answer }] of [...this.questions]) {
      const response = isJsonObject(inputResponses) ? inputResponses[name] : undefined;
      if (!isJsonObject(response)) continue;
      this.questions.delete(name);
      answer(response);
    }
  }

  /**
   * Waits for the result, or for a question, while a request of the client waits.
   * @returns the result; undefined if the upstream asks
   */
  async wait(call: ClientCall): Promise<JsonObject | undefined> {
    this.current = call;
    const cancel = () => this.end('the client cancelled the call');
    call.signal.addEventListener('abort', cancel, { once: true });
    if (call.signal.aborted) cancel();
    try {
      if (this.questions.size > 0) return undefined;
      this.wake = Promise.withResolvers();
      return await Promise.race([this.result, this.wake.promise]);
    } finally {
      call.signal.removeEventListener('abort', cancel);
      this.current = undefined;
    }
  }

  /** The open questions, as `inputRequests` of a result. */
  listQuestions(): JsonObject {
    return Object.fromEntries([...this.questions].map(([name, { request }]) => [name, request]));
  }

  /** Ends the call at the upstream. */
  end(reason: string): void {
    for (const { fail } of this.questions.values()) fail(new RpcError(ErrorCode.internalError, reason));
    this.questions.clear();
    this.stopping.abort(new Error(reason));
  }
}

/** The calls of this process that wait for an answer of their client. */
export class ParkedCalls {
  private readonly parked = new Map<string, { call: BridgedCall; timer: NodeJS.Timeout }>();

  /** @param replica id of this process, which each sealed name carries */
  constructor(
    private readonly states: RequestStates,
    private readonly replica: string,
  ) {}

  /** Number of parked calls. */
  get size(): number {
    return this.parked.size;
  }

  /**
   * Keeps a call until its client answers.
   * @returns the result for the client, with the questions and the sealed name of the call
   * @throws RpcError if the user has too many parked calls
   */
  async park({ user }: ClientCall, target: string, call: BridgedCall): Promise<JsonObject> {
    if ([...this.parked.values()].filter((one) => one.call.user === call.user).length >= MAX_PARKED_PER_USER) {
      call.end('too many calls of the user wait for input');
      throw new RpcError(
        ErrorCode.internalError,
        `${MAX_PARKED_PER_USER} of your calls wait for input, the most: answer or cancel one first`,
      );
    }
    const id = randomUUID();
    const timer = setTimeout(() => {
      this.parked.delete(id);
      call.end('the client did not answer in time');
    }, PARKED_MS).unref();
    this.parked.set(id, { call, timer });
    const requestState = await this.states.seal(user, createAudience(target), id, this.replica);
    return { resultType: 'input_required', inputRequests: call.listQuestions(), requestState };
  }

  /**
   * Takes the parked call that a request continues. Each state serves once.
   * @returns undefined for a request that names no parked call
   * @throws RpcError for a call that ended, expired or was taken before
   */
  async take({ user, params }: ClientCall, target: string): Promise<BridgedCall | undefined> {
    const { requestState } = params;
    if (typeof requestState !== 'string') return undefined;
    const id = await this.states.open(user, createAudience(target), requestState).catch(() => undefined);
    if (id === undefined) return undefined;
    const entry = this.parked.get(id);
    if (entry === undefined)
      throw createInvalidParamsError('params.requestState names a call that does not wait for input any more');
    clearTimeout(entry.timer);
    this.parked.delete(id);
    return entry.call;
  }

  /** Ends all parked calls. */
  close(): void {
    for (const { call, timer } of this.parked.values()) {
      clearTimeout(timer);
      call.end('the gateway is stopping');
    }
    this.parked.clear();
  }
}

/** States of parked calls and of upstreams are never taken for each other. */
const createAudience = (target: string): string => `parked ${target}`;

/** Creates the upstream part of a call of a modern client. */
export const createBridgedCall = ({ user }: ClientCall): BridgedCall => new BridgedCall(getUserKey(user));

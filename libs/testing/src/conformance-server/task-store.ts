import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';

type Requests = NonNullable<InputRequiredResult['inputRequests']>;
type Responses = Record<string, unknown>;

/** The abilities of a task while it runs. */
export interface TaskControl {
  /** Aborts when the client cancels the task. */
  signal: AbortSignal;
  /** Asks the client and resolves with all its responses, by the same keys. */
  ask: (requests: Requests) => Promise<Responses>;
}

/** The work of a task. */
export type TaskWork = (control: TaskControl) => Promise<CallToolResult>;

/** A task on the wire (SEP-2663, DetailedTask). */
interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  result?: CallToolResult;
  error?: { code: number; message: string };
  inputRequests?: Requests;
}

interface Entry {
  task: Task;
  controller: AbortController;
  responses: Responses;
  continueWork?: (responses: Responses) => void;
}

/** The tasks of the conformance server, in memory. */
export class TaskStore {
  readonly #entries = new Map<string, Entry>();

  /** Starts a task. @returns the CreateTaskResult */
  create(work: TaskWork): CallToolResult {
    const at = new Date().toISOString();
    const task: Task = {
      taskId: randomUUID(),
      status: 'working',
      createdAt: at,
      lastUpdatedAt: at,
      ttlMs: 60_000,
      pollIntervalMs: 100,
    };
    const entry: Entry = { task, controller: new AbortController(), responses: {} };
    this.#entries.set(task.taskId, entry);
    const created = { ...task, resultType: 'task' };
    void this.#run(entry, work);
    // The SDK has no type for a result of the extension.
    return created as unknown as CallToolResult;
  }

  /** @throws {ProtocolError} -32602 for an unknown task */
  get(id: string): Task {
    return this.#find(id).task;
  }

  /** Delivers responses; the task goes on when none is missing. */
  update(id: string, responses: Responses): void {
    const { task, ...entry } = this.#find(id);
    Object.assign(entry.responses, responses);
    const pending = Object.entries(task.inputRequests ?? {}).filter(([key]) => !(key in entry.responses));
    if (task.status !== 'input_required') return;
    task.inputRequests = Object.fromEntries(pending);
    if (pending.length === 0) {
      delete task.inputRequests;
      settle(task, { status: 'working' });
      this.#find(id).continueWork?.(entry.responses);
    }
  }

  /** Cancels a task; a finished one keeps its state. */
  cancel(id: string): void {
    const { task, controller } = this.#find(id);
    if (task.status !== 'working' && task.status !== 'input_required') return;
    delete task.inputRequests;
    settle(task, { status: 'cancelled' });
    controller.abort();
  }

  /** Cancels all tasks. */
  close(): void {
    for (const id of this.#entries.keys()) this.cancel(id);
  }

  async #run(entry: Entry, work: TaskWork): Promise<void> {
    const { task, controller } = entry;
    const ask = (inputRequests: Requests): Promise<Responses> => {
      settle(task, { status: 'input_required', inputRequests });
      return new Promise((resolve) => (entry.continueWork = resolve));
    };
    try {
      const result = await work({ signal: controller.signal, ask });
      if (task.status === 'working') settle(task, { status: 'completed', result });
    } catch (error) {
      const { message } = error as Error;
      if (task.status === 'working') settle(task, { status: 'failed', error: { code: -32603, message } });
    }
  }

  #find(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task ${id}`);
    return entry;
  }
}

const settle = (task: Task, change: Partial<Task>): void =>
  void Object.assign(task, change, { lastUpdatedAt: new Date().toISOString() });

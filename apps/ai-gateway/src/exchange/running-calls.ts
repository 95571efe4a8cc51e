import type { ModelCallError } from '../formats/model-call-error.ts';
import type { Principal, Principals } from '../identity/principals.ts';

/** The time between two checks of the callers of running calls. */
const CHECK_MS = 500;

/** A model call that was admitted and has not ended. */
export interface RunningCall {
  readonly principal: Principal;
  readonly credential: string;
  /** Ends the call. @param refusal why its caller is not served any more */
  end(refusal: ModelCallError): void;
}

/**
 * Ends running calls of callers who are refused meanwhile: within a second after their key was
 * revoked, disabled or has expired, or their user was deactivated (spec/4, section 2, "Keys").
 */
export class RunningCalls {
  private readonly calls = new Set<RunningCall>();
  /** Calls whose caller is looked up at the enterprise manager. */
  private readonly pending = new WeakSet<RunningCall>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly principals: Pick<Principals, 'findRefusal'>) {}

  /** Begins to check a call. @returns a function that ends this */
  enter(call: RunningCall): () => void {
    this.calls.add(call);
    this.timer ??= setInterval(() => this.check(), CHECK_MS).unref();
    return () => this.calls.delete(call);
  }

  private check(): void {
    if (this.calls.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    for (const call of this.calls) if (!this.pending.has(call)) this.checkCall(call);
  }

  private checkCall(call: RunningCall): void {
    const refusal = this.principals.findRefusal(call.credential, call.principal);
    if (!(refusal instanceof Promise)) {
      if (refusal !== undefined) call.end(refusal);
      return;
    }
    this.pending.add(call);
    void refusal.then((found) => {
      this.pending.delete(call);
      if (found !== undefined && this.calls.has(call)) call.end(found);
    });
  }
}

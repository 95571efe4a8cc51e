/**
 * A promise that is settled from outside, for instance by an event. A rejection that nobody waits
 * for is no failure of the process.
 */
export class Latch {
  readonly promise: Promise<void>;
  readonly open: () => void;
  readonly fail: (reason: Error) => void;

  constructor() {
    let open: () => void = () => undefined;
    let fail: (reason: Error) => void = () => undefined;
    this.promise = new Promise<void>((resolve, reject) => {
      open = resolve;
      fail = reject;
    });
    this.open = open;
    this.fail = fail;
    this.promise.catch(() => undefined);
  }
}

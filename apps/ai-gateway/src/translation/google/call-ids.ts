/**
 * The ids of calls in a conversation. Google can leave them out: a result then belongs to the first
 * call of its function that has none.
 */
export class CallIds {
  private readonly unanswered: { readonly id: string; readonly name: string }[] = [];
  private count = 0;

  /** Takes a call. @returns its id */
  open(name: string, given: string | undefined): string {
    this.count += 1;
    const id = given ?? `call_${this.count}`;
    this.unanswered.push({ id, name });
    return id;
  }

  /** Takes a result. @returns the id of its call; undefined if there is none */
  close(name: string, given: string | undefined): string | undefined {
    const at = this.unanswered.findIndex((call) => (given === undefined ? call.name === name : call.id === given));
    return at === -1 ? undefined : this.unanswered.splice(at, 1)[0]?.id;
  }
}

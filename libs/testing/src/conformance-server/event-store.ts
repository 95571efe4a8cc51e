import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Keeps the events of one session in memory, so that clients can resume its streams. */
export class MemoryEventStore implements EventStore {
  readonly #events: { id: string; stream: string; message: JSONRPCMessage }[] = [];

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `event-${this.#events.length}`;
    this.#events.push({ id, stream, message });
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.find((event) => event.id === id)?.stream);
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex((event) => event.id === id);
    const stream = this.#events[at]?.stream;
    if (stream === undefined) throw new Error(`there is no event ${id}`);
    for (const event of this.#events.slice(at + 1)) {
      // A priming event has no message.
      if (event.stream === stream && Object.keys(event.message).length > 0) await send(event.id, event.message);
    }
    return stream;
  }
}

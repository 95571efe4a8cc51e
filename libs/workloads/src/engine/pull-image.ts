import { splitImageReference } from '../flags/image-reference.ts';
import type { Engine } from './engine.ts';
import { readJsonLines } from './json-lines.ts';

/** A line of the response of a pull. */
interface PullEvent {
  readonly error?: string;
  readonly id?: string;
  readonly status?: string;
  readonly progressDetail?: { readonly current?: number; readonly total?: number };
}

/** The options of a pull. */
export interface PullCall {
  /** The headers with the credentials of the registry. */
  readonly headers: Record<string, string>;
  /** Receives a short text for every step. */
  readonly progress: (text: string) => void;
  /** Is called when the registry has answered. */
  readonly answered: () => void;
  readonly abort: AbortSignal;
}

/** The state of a layer. */
interface Layer {
  done: number;
  total: number;
  isComplete: boolean;
}

/** The last status of a layer of each engine. */
const COMPLETE: ReadonlySet<string> = new Set(['Pull complete', 'Already exists', 'Download complete']);

/**
 * Pulls an image.
 * @throws Error with the message of the engine
 */
export async function pullImage(engine: Engine, image: string, call: PullCall): Promise<void> {
  const { name, tag } = splitImageReference(image);
  const query = new URLSearchParams({ fromImage: name, tag });
  const path = `/images/create?${query.toString()}`;
  const response = await engine.stream('POST', path, { headers: call.headers, abort: call.abort });
  const layers = new Map<string, Layer>();
  for await (const event of readJsonLines<PullEvent>(response)) {
    if (event.error !== undefined) throw new Error(event.error);
    call.answered();
    if (recordLayer(layers, event, tag)) call.progress(describeLayers([...layers.values()]));
    else if (event.status !== undefined && event.id === undefined) call.progress(event.status);
  }
}

/** @returns whether the event is about a layer */
function recordLayer(layers: Map<string, Layer>, { id, status, progressDetail }: PullEvent, tag: string): boolean {
  // The first event has the tag as its id.
  if (id === undefined || status === undefined || id === tag) return false;
  const layer = layers.get(id) ?? { done: 0, total: 0, isComplete: false };
  layers.set(id, layer);
  if (status === 'Downloading') {
    layer.total = progressDetail?.total ?? layer.total;
    layer.done = progressDetail?.current ?? layer.done;
  }
  if (COMPLETE.has(status)) {
    layer.isComplete = status !== 'Download complete';
    layer.done = layer.total;
  }
  return true;
}

function describeLayers(layers: readonly Layer[]): string {
  const sum = (pick: (layer: Layer) => number) => layers.reduce((all, layer) => all + pick(layer), 0);
  const complete = layers.filter(({ isComplete }) => isComplete).length;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  const bytes = `${megabytes(sum(({ done }) => done))} of ${megabytes(sum(({ total }) => total))} MB`;
  return `${complete} of ${layers.length} layers, ${bytes}`;
}

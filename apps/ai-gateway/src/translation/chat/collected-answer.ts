import type { AnswerEvent, FinishReason } from './answer-events.ts';

/** A call of a tool in an answer. */
export interface CollectedCall {
  readonly kind: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** JSON; not complete if the answer has ended at its limit. */
  arguments: string;
  readonly signature?: string | undefined;
}

export interface CollectedText {
  readonly kind: 'text' | 'thought' | 'refusal';
  text: string;
}

/** One answer of a response. */
export interface CollectedChoice {
  readonly parts: (CollectedText | CollectedCall)[];
  reason: FinishReason | undefined;
  stopSequence: string | undefined;
}

/** Collects the events of a response that is not a stream. */
export function collectChoices(events: Iterable<AnswerEvent>): CollectedChoice[] {
  const choices: CollectedChoice[] = [];
  for (const event of events) {
    while (choices.length <= event.choice) choices.push({ parts: [], reason: undefined, stopSequence: undefined });
    addEvent(choices[event.choice] as CollectedChoice, event);
  }
  return choices;
}

function addEvent(choice: CollectedChoice, event: AnswerEvent): void {
  const { parts } = choice;
  const last = parts.at(-1);
  switch (event.kind) {
    case 'tool_call': {
      const { id, name, signature } = event;
      parts.push({ kind: 'tool_call', id, name, arguments: '', signature });
      return;
    }
    case 'arguments':
      if (last?.kind === 'tool_call') last.arguments += event.text;
      return;
    case 'finish':
      choice.reason = event.reason;
      choice.stopSequence = event.stopSequence;
      return;
    default:
      if (last !== undefined && last.kind === event.kind) last.text += event.text;
      else parts.push({ kind: event.kind, text: event.text });
  }
}

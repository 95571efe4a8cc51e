/** Why an answer has ended. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/**
 * A part of an answer, in the order in which the provider wrote it. `choice` counts the answers of
 * a request from 0.
 */
export type AnswerEvent =
  | { readonly kind: 'text' | 'thought' | 'refusal'; readonly choice: number; readonly text: string }
  /** A call of a tool begins; the texts of its arguments follow. */
  | ToolCallStart
  | { readonly kind: 'arguments'; readonly choice: number; readonly text: string }
  | {
      readonly kind: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      /** The sequence that has ended the text, where the provider names it. */
      readonly stopSequence?: string | undefined;
    };

export interface ToolCallStart {
  readonly kind: 'tool_call';
  readonly choice: number;
  readonly id: string;
  readonly name: string;
  readonly signature?: string | undefined;
}

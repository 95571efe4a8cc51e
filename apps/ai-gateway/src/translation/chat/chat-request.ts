import type { JsonObject } from '../../formats/model-request.ts';
import type { Located } from '../untranslatable.ts';

/** A request for an answer in a conversation, in the terms that all formats share. */
export interface ChatRequest extends ChatSettings {
  readonly model: string;
  readonly isStream: boolean;
  /** The instructions before the first turn. */
  readonly instructions: readonly TextPart[];
  /** Neighbours have different roles. The first turn has no role `system`. */
  readonly turns: readonly ChatTurn[];
  /** The field of the turns, such as `messages`. */
  readonly turnsField: string;
  readonly tools: readonly ChatTool[];
}

/** Settings that a client has sent and that differ from the default of its format. */
export interface ChatSettings {
  readonly toolChoice?: Located<ToolChoice> | undefined;
  /** Present if the model may call one tool at most. */
  readonly singleToolCall?: Located<true> | undefined;
  /** The limit of the output with its reasoning, in tokens. */
  readonly maxTokens?: Located<number> | undefined;
  readonly temperature?: Located<number> | undefined;
  readonly topP?: Located<number> | undefined;
  readonly topK?: Located<number> | undefined;
  readonly stop?: Located<readonly string[]> | undefined;
  readonly seed?: Located<number> | undefined;
  readonly presencePenalty?: Located<number> | undefined;
  readonly frequencyPenalty?: Located<number> | undefined;
  /** The number of answers, from 2. */
  readonly answers?: Located<number> | undefined;
  readonly output?: Located<OutputForm> | undefined;
  readonly reasoning?: Located<Reasoning> | undefined;
  /** Whether the answer shows thoughts of the model. */
  readonly showsThoughts?: boolean | undefined;
  readonly tier?: Located<ServiceTier> | undefined;
}

/** The contents of one speaker. */
export interface ChatTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly parts: readonly ChatPart[];
}

export type ChatPart = TextPart | MediaPart | ToolCallPart | ToolResultPart;

export interface TextPart {
  readonly kind: 'text';
  /** Not empty. */
  readonly text: string;
}

/** An image, a sound or a document. */
export interface MediaPart {
  readonly kind: 'media';
  readonly source:
    | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
    | { readonly kind: 'url'; readonly mediaType: string | undefined; readonly url: string };
  /** The name from the client; it decides where the type of the medium is not known. */
  readonly type: 'image' | 'audio' | 'document';
  readonly name?: string | undefined;
  readonly field: string;
}

export interface ToolCallPart {
  readonly kind: 'tool_call';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** The signature of Google for the thought behind the call. */
  readonly signature?: string | undefined;
  readonly field: string;
}

export interface ToolResultPart {
  readonly kind: 'tool_result';
  /** The id of the call. */
  readonly id: string;
  readonly content: readonly (TextPart | MediaPart)[];
  readonly isError: boolean;
  readonly field: string;
}

/** A function that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON schema of the input, of type object. */
  readonly schema?: JsonObject | undefined;
  /** Whether the input must match the schema exactly. */
  readonly isStrict: boolean;
  readonly field: string;
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  /** One of these tools must be called. */
  | { readonly kind: 'named'; readonly names: readonly string[] };

export type OutputForm =
  | { readonly kind: 'json' }
  | { readonly kind: 'json_schema'; readonly name?: string | undefined; readonly schema: JsonObject };

export type Effort = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export type Reasoning =
  | { readonly kind: 'off' }
  /** The model decides. */
  | { readonly kind: 'auto' }
  | { readonly kind: 'effort'; readonly effort: Effort }
  | { readonly kind: 'budget'; readonly tokens: number };

export type ServiceTier = 'standard' | 'flex';

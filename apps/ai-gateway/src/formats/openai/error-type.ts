import { isJsonObject } from '../readers/response-facts.ts';

/** The code of an error object, else its type. Both are fixed names, unlike the message. */
export const readErrorType = (error: unknown): unknown =>
  isJsonObject(error) ? (error['code'] ?? error['type']) : undefined;

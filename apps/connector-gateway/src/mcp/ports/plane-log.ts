/** The log of the data plane. No field holds arguments, results or tokens. */
export interface PlaneLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

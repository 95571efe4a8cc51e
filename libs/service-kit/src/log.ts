import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';

/** The service's log: JSON lines. Injectable; `log.child({ … })` binds fields. */
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
  abstract child(fields: object): Log;
}
export interface LogOptions {
  name: string;
  level: string;
  destination?: DestinationStream;
}
export const createLog = (options: LogOptions): Logger => pino({ name: options.name, level: options.level });

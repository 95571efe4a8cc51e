import { Injectable } from '@nestjs/common';
import type { LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import { LineBuffer } from './line-buffer.ts';
import { redact, redactText } from './redact.ts';
import { currentRequest } from './request-context.ts';

/**
 * The injectable log of the service. Each entry is one JSON line with the request id and trace id
 * of the current request. Secrets are removed by field name and by form. Messages must not quote
 * the input of callers.
 */
@Injectable()
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
  /** A log whose lines all carry `fields`. */
  abstract child(fields: object): Log;
}

/** Options of a log. */
export interface LogOptions {
  /** Name of the service in every line. */
  name: string;
  level: string;
  environment: string;
  /** Default stdout. */
  destination?: DestinationStream | undefined;
}

/**
 * Creates the log of a service on stdout (or `destination`). A killed process can lose the lines of
 * one turn of the event loop, but no warnings (see `LineBuffer`).
 */
export function createLog(options: LogOptions): Log {
  return pino(
    {
      level: options.level,
      base: { service: options.name, environment: options.environment },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      messageKey: 'message',
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (level) => ({ level }),
        log: (fields) => redact(fields) as Record<string, unknown>,
        bindings: (fields) => redact(fields) as Record<string, unknown>,
      },
      mixin: () => {
        const request = currentRequest();
        if (!request) return {};
        return { request_id: request.requestId, ...(request.traceId !== undefined && { trace_id: request.traceId }) };
      },
      hooks: {
        logMethod(args, method) {
          const [fields, message] = args as [object, string];
          method.call(this, fields as unknown as string, redactText(message));
        },
      },
    },
    options.destination ?? new LineBuffer(pino.destination({ fd: 1, sync: true })),
  );
}

/** A logger for Nest's own messages: warnings and errors keep their level, others are debug. */
export const nestLogger = (log: Log): LoggerService => ({
  log: (message: unknown) => log.debug({}, String(message)),
  debug: (message: unknown) => log.debug({}, String(message)),
  verbose: (message: unknown) => log.debug({}, String(message)),
  warn: (message: unknown) => log.warn({}, String(message)),
  error: (message: unknown, stack?: unknown) =>
    log.error({ ...(typeof stack === 'string' && { stack }) }, String(message)),
});

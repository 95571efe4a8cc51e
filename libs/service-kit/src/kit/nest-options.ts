import type { NestApplicationOptions } from '@nestjs/common';
import { NestApplicationContextOptions } from '@nestjs/common/interfaces/nest-application-context-options.interface.js';

/** Options for NestFactory; Nest types them as a class. */
export const nestOptions = (options: Partial<NestApplicationOptions>): NestApplicationContextOptions =>
  Object.assign(new NestApplicationContextOptions(), options);

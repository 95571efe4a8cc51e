import { DirectoryCopyRow } from './directory/directory-copy.entity.ts';
import { ToolCallRow } from './metering/tool-call.entity.ts';
import { SessionRow } from './sessions/session.entity.ts';

/**
 * Every table of this service, for the data source and for the comparison with what the migrations
 * make.
 */
export const entities = [DirectoryCopyRow, SessionRow, ToolCallRow];

import { describe } from '@jest/globals';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { describeDeadlines } from './support/deadlines-suite.ts';

describe('with resources in files', () => {
  describeDeadlines(startFolderBackend);
});

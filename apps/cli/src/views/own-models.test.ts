import { expect, it } from '@jest/globals';
import { describeMissingModels } from './own-models.ts';

const CALLER = { subject: 'u-1', groups: [], roles: [], matchedPolicies: [], models: [], unrestrictedModels: false };

it('says that no policy matches, and what an administrator needs to know', () => {
  const text = describeMissingModels({ ...CALLER, email: 'alice@example.test', groups: ['a', 'b'] });
  expect(text).toContain('no AI policy matches you');
  expect(text).toContain('You are alice@example.test, with the groups a, b');
});

it('names the policies that match and grant no models', () => {
  const text = describeMissingModels({ ...CALLER, matchedPolicies: [{ name: 'x' }, { name: '\u001b[2J' }] });
  expect(text).toContain('grant no model of the gateway: x, \\u001b[2J');
  expect(text).toContain('You are u-1, with no groups');
});

import { expect, it } from '@jest/globals';
import { formatField } from './field-names.ts';

const FLAGS = { '/spec/budgets': '--grant', '/labelSelector': '--label' };

it.each([
  ['/spec/principalMatchers/0/claims', 'spec.principalMatchers[0].claims'],
  ['/metadata/labels/gatehouse.dev~1team~0', 'metadata.labels.gatehouse.dev/team~'],
  ['/spec/budgets/0/models/1', '--grant (spec.budgets[0].models[1])'],
  ['/spec/budgetsOther', 'spec.budgetsOther'],
  ['/labelSelector', '--label'],
  ['', ''],
])('the field %j is shown as %j', (pointer, shown) => expect(formatField(pointer, FLAGS)).toBe(shown));

import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { splitTokens } from './filter-tokens.ts';
import { parseFilter } from './filter.ts';
import { buildFilterSql, listHeldTexts } from './filter-sql.ts';
import { formatPath } from './attribute-path.ts';
import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './schemas.ts';
import { type Filter, type ResourceType, ScimError } from './types.ts';

/** A filter in a short, unambiguous notation. */
function formatFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.filters.map(formatFilter).join(', ')})`;
    case 'not':
      return `not(${formatFilter(filter.filter)})`;
    case 'present':
      return `${formatPath(filter.path)} pr`;
    case 'element':
      return `${formatPath(filter.path)}[${formatFilter(filter.filter)}]`;
    case 'compare':
      return `${formatPath(filter.path)} ${filter.operator} ${JSON.stringify(filter.value)}`;
  }
}
const read = (text: string, type: ResourceType = 'User') => formatFilter(parseFilter(text, type));
const getRefusal = (text: string, type: ResourceType = 'User'): ScimError => {
  try {
    parseFilter(text, type);
  } catch (error) {
    if (error instanceof ScimError) return error;
    throw error;
  }
  throw new Error(`${text.slice(0, 80)} was read`);
};

describe('parseFilter', () => {
  it.each([
    ['userName eq "bjensen"', 'userName eq "bjensen"'],
    ['USERNAME EQ "bjensen"', 'userName eq "bjensen"'],
    ['name.familyName co "O\'Malley"', 'name.familyName co "O\'Malley"'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', 'userName sw "J"'],
    ['URN:IETF:params:scim:schemas:core:2.0:user:USERNAME sw "J"', 'userName sw "J"'],
    ['title pr', 'title pr'],
    ['manager eq "x"', `${ENTERPRISE_SCHEMA}:manager.value eq "x"`],
    ['Manager.Value eq "x"', `${ENTERPRISE_SCHEMA}:manager.value eq "x"`],
    [`${ENTERPRISE_SCHEMA}:manager eq "x"`, `${ENTERPRISE_SCHEMA}:manager.value eq "x"`],
    ['department sw "x"', `${ENTERPRISE_SCHEMA}:department sw "x"`],
    ['meta.lastModified ge "2011-05-13T04:42:34Z"', 'meta.lastModified ge "2011-05-13T04:42:34.000Z"'],
    ['title pr and userType eq "Employee"', 'and(title pr, userType eq "Employee")'],
    ['title pr or userType eq "a" and active eq true', 'or(title pr, and(userType eq "a", active eq true))'],
    ['(title pr or userType eq "a") and active eq true', 'and(or(title pr, userType eq "a"), active eq true)'],
    ['not (title pr) and active eq false', 'and(not(title pr), active eq false)'],
    ['emails co "example.com"', 'emails.value co "example.com"'],
    [
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      'and(userType ne "Employee", not(or(emails.value co "example.com", emails.value co "example.org")))',
    ],
    [
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      'and(userType eq "Employee", emails[and(emails.type eq "work", emails.value co "@example.com")])',
    ],
    [
      'emails[type eq "work" and not (value co "x")] or ims[type eq "xmpp"]',
      'or(emails[and(emails.type eq "work", not(emails.value co "x"))], ims[ims.type eq "xmpp"])',
    ],
    [
      'emails[type eq "work"].value eq "a@b.test"',
      'and(emails[and(emails.type eq "work", emails.value eq "a@b.test")])',
    ],
    [
      'active eq true and emails[type eq "work"].value eq "a"',
      'and(active eq true, and(emails[and(emails.type eq "work", emails.value eq "a")]))',
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "1"',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "1"',
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department pr',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department pr',
    ],
    ['active eq "True"', 'active eq true'],
    ['active eq True', 'active eq true'],
    ['roles[primary eq "False"]', 'roles[roles.primary eq false]'],
    ['title eq null', 'not(title pr)'],
    ['title ne null', 'title pr'],
    ['title eq "q\\"uo\\\\te\\u00e9\\n)("', 'title eq "q\\"uo\\\\teé\\n)("'],
    ['title eq "and or not ( ["', 'title eq "and or not ( ["'],
    ['  title   pr  ', 'title pr'],
  ])('reads %s', (text, tree) => {
    expect(read(text)).toBe(tree);
  });

  it.each([
    ['displayName eq "Tour Guides"', 'displayName eq "Tour Guides"'],
    ['id eq "g" and members eq "u"', 'and(id eq "g", members.value eq "u")'],
    ['members[value eq "u" and type eq "User"]', 'members[and(members.value eq "u", members.type eq "User")]'],
  ])('reads %s for groups', (text, tree) => {
    expect(read(text, 'Group')).toBe(tree);
  });

  it.each([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq bjensen',
    "userName eq 'bjensen'",
    'userName eq "bjensen',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    'userName zz "a"',
    'userName constructor "a"',
    'userName pr constructor title pr',
    'userName pr __proto__ title pr',
    '(userName pr',
    'userName pr)',
    '()',
    'not title pr',
    'not (title pr) and not title pr',
    'not (title pr) and not not (title pr)',
    'emails[type eq "work"',
    'emails[type eq "work"].',
    'emails[type eq "work"].value',
    'emails[ims[type eq "x"]]',
    'emails[nope eq "x"]',
    'name[givenName eq "x"]',
    'title[value eq "x"]',
    'nope eq "x"',
    '__proto__ eq "x"',
    'constructor pr',
    'shoeSize eq "x"',
    'password eq "x"',
    'password pr',
    'name eq "x"',
    'addresses eq "x"',
    'name.givenName.first eq "x"',
    'userName eq 1',
    'userName eq true',
    'active eq "yes"',
    'active gt true',
    'active co "t"',
    'meta.created eq "yesterday"',
    'meta.created co "2011"',
    'meta.created gt "2011-13-45T00:00:00Z"',
    'title gt null',
    'x509Certificates.value gt "a"',
    'title eq "\\u0000"',
    'title eq "\\ud800"',
    'title eq "\\x"',
    'urn:example:2.0:User:title eq "x"',
    'ti\u0000tle eq "x"',
  ])('refuses %j as invalidFilter', (text) => {
    const { status, scimType, detail } = getRefusal(text);
    expect([status, scimType]).toEqual([400, 'invalidFilter']);
    expect(detail).not.toMatch(/\p{Cc}/u);
  });

  it('limits length and depth before it parses the text', () => {
    expect(getRefusal(`title eq "${'a'.repeat(5_000)}"`).detail).toContain('4096');
    expect(getRefusal(`${'('.repeat(33)}title pr${')'.repeat(33)}`).detail).toContain('32');
    expect(read(`${'('.repeat(32)}title pr${')'.repeat(32)}`)).toBe('title pr');
    expect(getRefusal(`title eq "${'\n'.repeat(4_000)}`).detail).toContain('not closed');
    for (const text of ['', 'userName eq "a" and'])
      expect([text, getRefusal(text).detail]).toEqual([
        text,
        'The filter cannot be read: it ends before it is complete',
      ]);
    expect(getRefusal('['.repeat(4_000)).detail).toContain('32');
  });

  it('reads or refuses any text, and only its values reach SQL as parameters', () => {
    const piece = fc.constantFrom(
      'userName',
      'emails',
      'title',
      'name.givenName',
      'eq',
      'co',
      'pr',
      'and',
      'or',
      'not',
      '(',
      ')',
      '[',
      ']',
      '].',
      '"x"',
      "'; DROP",
      '1',
      'true',
      'null',
      '.',
      ' ',
      '"',
      '\\',
      '$1',
      '--',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 40 }), (pieces, noise) => {
        for (const text of [pieces.join(' '), pieces.join(''), noise, `title eq ${JSON.stringify(noise)}`]) {
          try {
            const params: unknown[] = ['the issuer'];
            const sql = buildFilterSql(parseFilter(text, 'User'), 'User', params);
            expect(sql).not.toContain('DROP');
            expect(sql).not.toContain('--');
            const named = [...sql.matchAll(/\$(\d+)/g)]
              .map((match) => Number(match[1]))
              .filter((number) => number !== 1);
            expect(named.toSorted((a, b) => a - b)).toEqual(params.slice(1).map((_, index) => index + 2));
          } catch (error) {
            if (!(error instanceof ScimError)) throw error;
            expect([error.status, error.scimType]).toEqual([400, 'invalidFilter']);
          }
        }
      }),
      { numRuns: 500 * effort },
    );
  });

  it('reads every string like JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (value) => {
        fc.pre(!value.includes('\u0000') && value.isWellFormed());
        const filter = parseFilter(`title eq ${JSON.stringify(value)}`, 'User');
        expect(filter.kind === 'compare' && filter.value).toBe(value);
      }),
    );
  });
});

describe('splitTokens', () => {
  it('returns tokens that cover the whole text', () => {
    const literals = splitTokens('emails[type eq "wo\\"rk"].value eq -1.5e3').map(
      ({ type, literal }) => `${type} ${literal.replace('\u0000', '·')}`,
    );
    expect(literals).toEqual([
      'Word emails',
      'Bracket [',
      'Word type',
      'Word eq',
      'Quoted "wo\\"rk"',
      'Bracket ].',
      'Word ·value',
      'Word eq',
      'Number -1.5e3',
      'EOT ',
    ]);
  });
});

describe('buildFilterSql', () => {
  const buildSql = (text: string, type: ResourceType = 'User') => {
    const params: unknown[] = ['before'];
    return { sql: buildFilterSql(parseFilter(text, type), type, params), params: params.slice(1) };
  };

  it('numbers its parameters after existing parameters', () => {
    expect(buildSql('externalId eq "x"')).toEqual({ sql: '(u.external_id = $2::text)', params: ['x'] });
  });

  it('compares names in their comparison form', () => {
    expect(buildSql('userName eq "BJensen\u200b"')).toEqual({
      sql: '(u.user_name_key = $2::text)',
      params: ['bjensen'],
    });
    expect(buildSql('displayName eq "Straße"', 'Group').params).toEqual(['strasse']);
    expect(buildSql('userName co " B"').params).toEqual(['% b%']);
  });

  it('escapes wildcards', () => {
    expect(buildSql('title co "50%_\\\\"').params).toEqual(['%50\\%\\_\\\\%']);
    expect(buildSql('title sw "a%"').params).toEqual(['a\\%%']);
    expect(buildSql('title ew "a_"').params).toEqual(['%a\\_']);
  });

  it('looks up users only by texts that must be equal', () => {
    const listAskedTexts = (text: string) => listHeldTexts(parseFilter(text, 'User'), 'User');
    expect(listAskedTexts('name.familyName eq "Gro\u00df"')).toEqual([{ name: { familyName: 'Gro\u00df' } }]);
    expect(listAskedTexts('emails[type eq "work" and value co "@x" and primary eq true] or title eq "a"')).toEqual([
      { emails: [{ type: 'work' }] },
      { title: 'a' },
    ]);
    for (const text of [
      'emails[type eq "a" or value eq "b"]',
      'emails[not (type eq "a")]',
      'title sw "a"',
      'active eq true',
    ])
      expect(listAskedTexts(text)).toEqual([]);
  });

  it('limits the condition to the users that contain the text', () => {
    const params: unknown[] = ['before'];
    const among = buildFilterSql(parseFilter('title eq "a"', 'User'), 'User', params, () => ['an id']);
    expect([among, params]).toEqual([
      "(u.id = ANY ($3::uuid[]) AND (lower((u.scim ->> 'title')) = lower($2::text)))",
      ['before', 'a', ['an id']],
    ]);
  });

  it('does not send an invalid id to the database', () => {
    expect(buildSql('id eq "unknown"')).toEqual({ sql: 'FALSE', params: [] });
    expect(buildSql('members eq "unknown"', 'Group').sql).toContain('WHERE FALSE');
  });

  it.each(['meta.location eq "x"', 'meta.version eq "x"', 'groups.type eq "direct"', 'groups.$ref pr'])(
    'refuses %s, which is computed for each response',
    (text) => {
      expect(() => buildSql(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
    },
  );

  it.each([
    [`schemas eq "${ENTERPRISE_SCHEMA}"`, `((u.scim -> '${ENTERPRISE_SCHEMA}') IS NOT NULL)`],
    [`SCHEMAS EQ "${ENTERPRISE_SCHEMA.toUpperCase()}"`, `((u.scim -> '${ENTERPRISE_SCHEMA}') IS NOT NULL)`],
    [`schemas ne "${ENTERPRISE_SCHEMA}"`, `(((u.scim -> '${ENTERPRISE_SCHEMA}') IS NOT NULL) IS NOT TRUE)`],
    ['schemas co "enterprise"', `((u.scim -> '${ENTERPRISE_SCHEMA}') IS NOT NULL)`],
    [`schemas eq "${USER_SCHEMA}"`, 'TRUE'],
    ['schemas eq "urn:other"', 'FALSE'],
    ['schemas pr', 'TRUE'],
  ])('translates %s to a test of the extensions of the user', (text, expected) => {
    expect(buildSql(text)).toEqual({ sql: expected, params: [] });
  });

  it('translates every attribute of the schemas', () => {
    for (const text of [
      'addresses pr',
      'addresses.country eq "DE"',
      'emails pr',
      'emails[primary eq true]',
      'groups eq "x"',
      'groups.display co "x"',
      'name pr',
      'meta pr',
      'active pr',
    ])
      expect(buildSql(text).sql).not.toBe('');
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatMount, parseMountDeclaration } from './mount-declaration.ts';

const path = (source: string, target?: string) => ({ kind: 'path', source, target });
const resource = (uri: string) => ({ kind: 'resource', uri });

describe('parseMountDeclaration', () => {
  it.each([
    ['/data', path('/data')],
    ['./data', path('./data')],
    ['/a b,c/ü', path('/a b,c/ü')],
    ['/host:/container', path('/host', '/container')],
    ['host/sub:/container//x/../y/', path('host/sub', '/container/y')],
    ['/a,b=c d:/e,f=g h', path('/a,b=c d', '/e,f=g h')],
    ['/a\nb:/c\nd', path('/a\nb', '/c\nd')],
    ['C:\\data', path('C:\\data')],
    ['C:\\data:/container', path('C:\\data', '/container')],
    ['d:/data:/container', path('d:/data', '/container')],
    ['volume://name:/data', resource('volume://name')],
    ['my-scheme://a/b:/data', resource('my-scheme://a/b')],
  ])('parses %j', (text, declaration) => expect(parseMountDeclaration(text)).toEqual(declaration));

  it.each([
    ['', 'is not in the form'],
    [':', 'is not in the form'],
    [':/c', 'is not in the form'],
    ['/a:', 'is not in the form'],
    ['/a:/b:/c', 'is not in the form'],
    ['/a:/b:rw', 'is not in the form'],
    ['C:\\a:/b:/c', 'is not in the form'],
    ['/a:C:\\b', 'has a Windows path as the container path'],
    ['C:\\a:C:\\b', 'has a Windows path as the container path'],
    ['/a:b', "has the container path 'b', which is not absolute"],
    ['/a:../b', 'which is not absolute'],
    ['/a:/', 'would replace the root of the container'],
    ['/a:/b/..', 'would replace the root of the container'],
    ['/a:/proc', 'would replace a part of /proc'],
    ['/a:/x/../proc/1', 'would replace a part of /proc'],
    ['/a:/sys/fs', 'would replace a part of /sys'],
    ['/a:/dev/shm', 'would replace a part of /dev'],
    ['volume://name', 'names a resource without a container path'],
    ['volume://:/data', 'is not in the form'],
    ['volume://name:/proc', 'would replace a part of /proc'],
    ['/a;b:/c', 'contains a forbidden character'],
    ['/a:/c|d', 'contains a forbidden character'],
    ['$HOME:/c', 'contains a forbidden character'],
    ['`id`:/c', 'contains a forbidden character'],
    ['/a&b', 'contains a forbidden character'],
    ['/a\0b:/c', 'contains a forbidden character'],
  ])('refuses %j', (text, problem) => expect(() => parseMountDeclaration(text)).toThrow(problem));

  it('reads each mount that can be written', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((text) => text.replaceAll('/', ''));
    fc.assert(
      fc.property(name, name, (source, target) => {
        const mount = { source: `/${source}`, target: `/x${target}`, readOnly: false };
        let text: string;
        try {
          text = formatMount(mount);
        } catch {
          fc.pre(false);
          return;
        }
        expect(parseMountDeclaration(text)).toMatchObject({ kind: 'path', source: mount.source });
      }),
    );
  });

  it.each(['/a:b', '/a$b', 'C:\\a:b'])('cannot write the host path %s', (source) =>
    expect(() => formatMount({ source, target: '/x', readOnly: true })).toThrow('cannot be mounted'),
  );
});

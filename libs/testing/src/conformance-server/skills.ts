import { memorySkillFiles, type SkillCatalog, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

/** Loads two skills, one with a folder (SEP-2640). */
export const loadSkills = (): Promise<SkillCatalog> =>
  SkillsExtension.load(
    memorySkillFiles({
      'greeting/SKILL.md': '---\nname: greeting\ndescription: Greets a user.\n---\n\nSay hello.\n',
      'greeting/references/formal.md': 'Good day.\n',
      'parting/SKILL.md': '---\nname: parting\ndescription: Takes leave of a user.\n---\n\nSay goodbye.\n',
    }),
  );

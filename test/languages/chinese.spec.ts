import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['src/languages/zh', 'docs/customers/zh'];

/** A second word for a concept, and the word that the texts have for it. */
const ONE_WORD: readonly (readonly [RegExp, string])[] = [
  [/出借|借出/, '委托'],
  [/收回/, '回收'],
  [/解冻/, '解除质押'],
  [/固化/, '最终确认'],
  [/打包|入块/, '上链'],
  [/核对结果|核对问题/, '异常'],
  [/运营者|运营方|管理员/, '运营人员'],
  [/双重验证/, '两步验证'],
  [/资金池/, '钱包池'],
  [/请求 ID/, '请求编号'],
  [/个订单/, '笔订单'],
  [/投递/, '推送'],
  [/交易编号/, '交易哈希'],
];

function secondWords(name: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      ONE_WORD.flatMap(([second, word]) =>
        second.test(line) ? [`${name}:${index + 1} ${second.exec(line)![0]}: ${word}`] : [],
      ),
    );
}

describe('the Chinese texts', () => {
  it('have one word for one concept', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|md)$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((name) => secondWords(name, readFileSync(join(ROOT, name), 'utf8')))).toEqual([]);
  });

  it('would be found wanting with a second word', () => {
    expect(secondWords('a.md', '能量\n服务收回能量')).toEqual(['a.md:2 收回: 回收']);
  });
});

import type { firstRun as English } from '../../en/panel/first-run';

export const firstRun: typeof English = {
  title: '开始使用',
  done: '已完成',
  steps: {
    wallet: '添加一个委托能量的钱包',
    key: '让服务读取其密钥',
    doctor: '检查钱包，然后恢复接单',
    user: '创建用户',
    credit: '为用户入账',
    order: '下第一笔订单',
    balance: '为余额充值',
    token: '创建 API 令牌',
    call: '下第一笔订单',
  },
  yourReceiver: '需要能量的地址',
  topUpHints: { deposit: '请向您专属的充值地址转入 TRX 或 USDT。', text: '请按以下说明充值：' },
  hints: {
    wallet: '需要一个已质押 TRX 的 TRON 账户。节点会列出其质押与权限，由您选择供服务使用的权限。',
    key: '请将密钥放在环境变量、文件或签名程序中。钱包检查会指出密钥的问题。',
    doctor: '钱包开始接单后，此步即完成。',
    user: '邀请链接只显示一次，请转交给用户。',
    credit: '请在用户页面填写金额与原因。',
    order: '请使用令牌，在“试用 API”页面或任何程序中下单。您也可以做自己的客户：为自己入账后下单。',
    balance: '由运营人员为您入账或添加套餐。',
    token: '程序调用 API 需要令牌。令牌只显示一次。',
    call: '请复制以下命令，填入您的令牌和需要能量的地址后运行。也可以在“试用 API”页面下单。',
  },
};

import type { firstRun as English } from '../../en/panel/first-run';

export const firstRun: typeof English = {
  title: '开始使用',
  done: '已完成',
  steps: {
    wallet: '添加一个可借出能量的钱包',
    key: '让服务读取其密钥',
    doctor: '确认检查无问题，并恢复钱包',
    user: '创建用户',
    credit: '为用户入账',
    order: '下第一个订单',
    balance: '充值',
    token: '创建 API 令牌',
    call: '下第一笔订单',
  },
  yourReceiver: '需要能量的地址',
  hints: {
    wallet: '一个已质押 TRX 的 TRON 账户，以及有权委托与回收的权限密钥',
    key: '放在环境变量或文件中；检查会说明其问题',
    doctor: '开始接受新订单后即为完成',
    user: '会立即显示邀请链接，请转交给对方',
    credit: '在用户页面，并填写原因',
    order: '使用令牌，在“试用接口”页面或任何程序中',
    balance: '通过充值、运营人员入账或套餐',
    token: '程序调用 API 需要令牌；令牌只显示一次',
    call: '复制以下调用，填入您的令牌和需要能量的地址后运行；也可在“试用接口”页面下单',
  },
};

/** Two small documents that show every bucket. */
const truth = {
  invoice: "2024-0117",
  customer: { name: "Noor Trading LLC", city: "دبي" },
  date: "2024-01-17",
  total: 1250.5,
  paid: true,
  contact: "sales@noor.example",
  discount: null,
  note: "Deliver before noon to the rear entrance.",
};

const output = {
  invoice: "2024-0117",
  customer: { name: "Noor Trading L.L.C.", city: "دبي" },
  date: "2024-01-17",
  total: 1205.5,
  paid: true,
  discount: 0.1,
  note: "Please deliver to the back entrance before midday.",
  currency: "AED",
};

export const EXAMPLE = { truth: JSON.stringify(truth, null, 2), output: JSON.stringify(output, null, 2) };

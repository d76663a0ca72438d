module example.com/energy

go 1.19
